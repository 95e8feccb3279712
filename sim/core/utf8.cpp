#include "sim/core/utf8.hpp"

#include <algorithm>
#include <array>

namespace highwater {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr unsigned kTailBits = 6;
constexpr unsigned char kTail = 0x80;
constexpr unsigned char kTailMask = 0x3F;
constexpr unsigned char kLeadMask = 0xC0;

// Characters of one to four bytes: the first byte's fixed bits, and the first character that is too
// large.
struct Length {
    unsigned char lead;
    unsigned char lead_mask;
    char32_t end;
};
constexpr std::array<Length, 4> kLengths{{
    {0x00, 0x80, 0x80},
    {0xC0, 0xE0, 0x800},
    {0xE0, 0xF0, 0x10000},
    {0xF0, 0xF8, 0x110000},
}};

bool is_character(char32_t value) {
    constexpr char32_t kSurrogates = 0xD800;
    constexpr char32_t kAfterSurrogates = 0xE000;
    return value < kLengths.back().end && (value < kSurrogates || value >= kAfterSurrogates);
}

unsigned char byte_of(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    for (std::size_t tails = 0; tails < kLengths.size(); ++tails) {
        const Length& length = kLengths.at(tails);
        if ((byte_of(text, 0) & length.lead_mask) != length.lead) {
            continue;
        }
        if (text.size() <= tails) {
            return 0;
        }
        char32_t value = byte_of(text, 0) & static_cast<unsigned char>(~length.lead_mask);
        for (std::size_t i = 1; i <= tails; ++i) {
            if ((byte_of(text, i) & kLeadMask) != kTail) {
                return 0;
            }
            value = (value << kTailBits) | (byte_of(text, i) & kTailMask);
        }
        const bool is_shortest = tails == 0 || value >= kLengths.at(tails - 1).end;
        return is_shortest && is_character(value) ? tails + 1 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, char32_t character) {
    const char32_t value = is_character(character) ? character : kReplacement;
    std::size_t tails = 0;
    while (value >= kLengths.at(tails).end) {
        ++tails;
    }
    out += static_cast<char>(kLengths.at(tails).lead | (value >> (kTailBits * tails)));
    for (; tails > 0; --tails) {
        out += static_cast<char>(kTail | ((value >> (kTailBits * (tails - 1))) & kTailMask));
    }
}

std::string_view as_utf8(std::string_view text, std::string& kept) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < kTail; };
    if (std::ranges::all_of(text, is_ascii)) {
        return text;
    }
    kept.clear();
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            append_utf8(kept, kReplacement);
        } else {
            kept += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return kept;
}

}  // namespace highwater
