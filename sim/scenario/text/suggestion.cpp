#include "sim/scenario/text/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"

namespace highwater {
namespace {

// At most this many known words are listed in a message.
constexpr std::size_t kMaxListed = 12;

constexpr std::size_t kMaxQuoted = 60;

// Fewer letters begin too many words to say which is meant.
constexpr std::size_t kMinBeginning = 3;

std::string listed(const std::vector<std::string>& known) {
    std::string words;
    for (std::size_t i = 0; i < std::min(known.size(), kMaxListed); ++i) {
        words += fmt::format("{}`{}`", i == 0 ? "" : ", ", quoted(known[i]));
    }
    return known.size() > kMaxListed ? words + ", ..." : words;
}

// The one known word that `wrong` begins, as `reserved` begins `reserved_bytes`.
std::optional<std::string_view> word_begun(std::string_view wrong,
                                           const std::vector<std::string>& known) {
    const auto begins = [&](const std::string& word) { return word.starts_with(wrong); };
    const auto found = std::find_if(known.begin(), known.end(), begins);
    const bool is_only_one =
        found != known.end() && std::find_if(found + 1, known.end(), begins) == known.end();
    return is_only_one && wrong.size() >= kMinBeginning ? std::optional<std::string_view>(*found)
                                                        : std::nullopt;
}

// UTF-8: a byte that does not begin a character.
bool is_continuation(char c) {
    constexpr unsigned char kMask = 0xC0;
    constexpr unsigned char kContinuationByte = 0x80;
    return (static_cast<unsigned char>(c) & kMask) == kContinuationByte;
}

}  // namespace

std::string suggestion(std::string_view wrong,
                       const std::vector<std::string>& known,
                       std::string_view otherwise) {
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    if (const auto word = word_begun(wrong, known); word && !closest_name(wrong, candidates)) {
        return fmt::format("did you mean `{}`?", quoted(*word));
    }
    const std::string listing =
        known.empty() ? std::string(otherwise) : fmt::format("known are {}", listed(known));
    return did_you_mean(wrong, candidates, listing);
}

std::string quoted(std::string_view text) {
    std::size_t end = std::min(text.size(), kMaxQuoted);
    while (end > 0 && end < text.size() && is_continuation(text[end])) {
        --end;
    }
    std::string shown(text.substr(0, end));
    std::replace_if(
        shown.begin(),
        shown.end(),
        [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; },
        ' ');
    return end < text.size() ? shown + "..." : shown;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace highwater
