#include "sim/scenario/text/source_places.hpp"

#include <algorithm>
#include <utility>

#include "sim/scenario/text/source_text.hpp"

namespace highwater {

SourcePlaces::SourcePlaces(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), line_begins_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') {
            line_begins_.push_back(i + 1);
        }
    }
}

SourcePlace SourcePlaces::at(std::size_t offset) {
    offset = std::min(offset, text_.size());
    const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    const auto line = static_cast<std::size_t>(after - line_begins_.begin()) - 1;
    if (line != counted_line_ || offset < counted_end_) {
        counted_line_ = line;
        counted_end_ = line_begins_[line];
        counted_ = 0;
    }
    counted_ += count_characters(text_.substr(counted_end_, offset - counted_end_));
    counted_end_ = offset;
    return {file_, line + 1, counted_ + 1};
}

}  // namespace highwater
