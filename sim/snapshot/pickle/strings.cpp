#include "sim/snapshot/pickle/strings.hpp"

#include "sim/snapshot/pickle/words.hpp"

namespace highwater::pickle {

Strings::Strings() {
    for (const std::string_view word : kWords) {
        add(word);
    }
}

std::uint32_t Strings::add(std::string_view text) {
    const std::uint64_t hash = hash_of(text);
    const std::uint32_t known =
        index_.find(hash, [&](std::uint32_t number) { return this->text(number) == text; });
    if (known != HashIndex::kNone) {
        return known;
    }
    const auto number = static_cast<std::uint32_t>(ends_.size());
    texts_ += text;
    ends_.push_back(texts_.size());
    index_.add(hash, number);
    return number;
}

std::string_view Strings::text(std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(texts_).substr(begin, ends_[number] - begin);
}

}  // namespace highwater::pickle
