#include "sim/engine/name_table.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"

namespace highwater {

void TextNameTable::declare(TextCursor& line) {
    const Word& word = line.take(fmt::format("the {}'s name", kind_));
    if (word.text.empty()) {
        throw InputError(
            line.place(word), fmt::format("a {} with an empty name", kind_), "give it one");
    }
    if (!index_.emplace(word.text, names_.size()).second) {
        throw InputError(line.place(word),
                         fmt::format("{} {} is declared twice", kind_, shown(word.text)),
                         "give each its own name");
    }
    names_.push_back(word.text);
}

std::size_t TextNameTable::find(TextCursor& line) const {
    const Word& word = line.take(fmt::format("the {}'s name", kind_));
    const auto found = index_.find(word.text);
    if (found == index_.end()) {
        throw InputError(
            line.place(word),
            fmt::format("unknown {} {}", kind_, shown(word.text)),
            did_you_mean(
                word.text,
                {names_.begin(), names_.end()},
                fmt::format("declare it first with a line `{} {}`", kind_, word_of(word.text))));
    }
    return found->second;
}

std::vector<std::string> TextNameTable::take() {
    return std::move(names_);
}

}  // namespace highwater
