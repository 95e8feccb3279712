#include "sim/scenario/text/source_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr unsigned char kAsciiEnd = 0x80;
constexpr unsigned char kContinuationMask = 0xC0;
constexpr unsigned char kContinuation = 0x80;

unsigned char byte_at(std::string_view text, std::size_t offset) {
    return static_cast<unsigned char>(text[offset]);
}

bool is_continuation(unsigned char byte) {
    return (byte & kContinuationMask) == kContinuation;
}

// By the first byte: a character's length, and the range of its second byte, which shuts out
// overlong forms, surrogates and what lies beyond U+10FFFF (RFC 3629).
struct Sequence {
    unsigned char first_from;
    unsigned char first_to;
    unsigned char length;
    unsigned char second_from;
    unsigned char second_to;
};
constexpr Sequence kSequences[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F},
    {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},
};

// The length of the character at `offset`; 0 if it is not UTF-8.
std::size_t character_length(std::string_view text, std::size_t offset) {
    const unsigned char first = byte_at(text, offset);
    if (first < kAsciiEnd) {
        return 1;
    }
    for (const Sequence& sequence : kSequences) {
        if (first < sequence.first_from || first > sequence.first_to) {
            continue;
        }
        const std::size_t length = sequence.length;
        if (offset + length > text.size()) {
            return 0;
        }
        const unsigned char second = byte_at(text, offset + 1);
        const std::string_view rest = text.substr(offset + 2, length - 2);
        const bool good = second >= sequence.second_from && second <= sequence.second_to &&
                          std::all_of(rest.begin(), rest.end(), [](char c) {
                              return is_continuation(static_cast<unsigned char>(c));
                          });
        return good ? length : 0;
    }
    return 0;
}

bool is_forbidden(unsigned char byte) {
    constexpr unsigned char kSpace = 0x20;
    constexpr unsigned char kDelete = 0x7F;
    return (byte < kSpace && byte != '\t' && byte != '\n') || byte == kDelete;
}

SourcePlace place_of(std::string_view text, std::size_t offset, const std::string& file) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    return {file, lines + 1, count_characters(before.substr(line_begin)) + 1};
}

void require_text(std::string_view text, const std::string& file) {
    std::size_t offset = 0;
    while (offset < text.size()) {
        const std::size_t length = character_length(text, offset);
        if (length == 0) {
            throw InputError(place_of(text, offset, file),
                             fmt::format("the byte 0x{:02X} is not UTF-8", byte_at(text, offset)),
                             "save the file as UTF-8");
        }
        if (is_forbidden(byte_at(text, offset))) {
            throw InputError(place_of(text, offset, file),
                             fmt::format("the control character 0x{:02X}", byte_at(text, offset)),
                             "remove it, or save the file as UTF-8");
        }
        offset += length;
    }
}

std::string with_plain_line_ends(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r') {
            plain += text[i];
        } else if (i + 1 == text.size() || text[i + 1] != '\n') {
            plain += '\n';
        }
    }
    return plain;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return !is_continuation(static_cast<unsigned char>(c));
    }));
}

std::string normalised_source(std::string_view text, const std::string& file) {
    if (text.size() > kMaxFileBytes) {
        throw InputError({file},
                         fmt::format("the file has {} bytes", text.size()),
                         fmt::format("keep a scenario within {} bytes: use loops", kMaxFileBytes));
    }
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        text.remove_prefix(kByteOrderMark.size());
    }
    std::string plain = with_plain_line_ends(text);
    require_text(plain, file);
    if (plain.find_first_not_of(" \t\n") == std::string::npos) {
        throw InputError({file}, "the file is empty", "write a scenario: `steps:` at the least");
    }
    return plain;
}

}  // namespace highwater
