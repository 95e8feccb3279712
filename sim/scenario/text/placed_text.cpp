#include "sim/scenario/text/placed_text.hpp"

#include "sim/scenario/text/source_text.hpp"

namespace highwater {

SourcePlace PlacedText::at(std::size_t offset) const {
    SourcePlace found = place;
    if (verbatim) {
        found.column += count_characters(std::string_view(text).substr(0, offset));
    }
    return found;
}

}  // namespace highwater
