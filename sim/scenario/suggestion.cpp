#include "sim/scenario/suggestion.hpp"

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

std::string listed(const std::vector<std::string>& known) {
    std::string words;
    for (std::size_t i = 0; i < std::min(known.size(), kMaxListed); ++i) {
        words += fmt::format("{}`{}`", i == 0 ? "" : ", ", quoted(known[i]));
    }
    return known.size() > kMaxListed ? words + ", ..." : words;
}

// UTF-8: a byte that does not begin a character.
bool is_continuation(char c) {
    constexpr unsigned char kMask = 0xC0;
    constexpr unsigned char kContinuation = 0x80;
    return (static_cast<unsigned char>(c) & kMask) == kContinuation;
}

}  // namespace

std::string suggestion(std::string_view wrong,
                       const std::vector<std::string>& known,
                       std::string_view otherwise) {
    const std::vector<std::string_view> candidates(known.begin(), known.end());
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

}  // namespace highwater
