#include "sim/core/printable.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "sim/core/utf8.hpp"

namespace highwater {
namespace {

constexpr unsigned char kDelete = 0x7F;

bool is_plain(char c) {
    return c >= ' ' && static_cast<unsigned char>(c) < kDelete;
}

// Of one character that is ASCII, or a byte that is no character.
std::string escaped(char c) {
    return c == '\n'   ? "\\n"
           : c == '\t' ? "\\t"
                       : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

// U+0080 to U+009F, which terminals take for commands too.
bool is_control_of_two(std::string_view character) {
    constexpr char kLead = '\xC2';
    constexpr unsigned char kEnd = 0xA0;
    return character.size() == 2 && character[0] == kLead &&
           static_cast<unsigned char>(character[1]) < kEnd;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto* const plain_end = std::ranges::find_if_not(text, is_plain);
        result.append(text.begin(), plain_end);
        text.remove_prefix(static_cast<std::size_t>(plain_end - text.begin()));
        if (text.empty()) {
            break;
        }
        const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
        const std::string_view character = text.substr(0, length);
        if (length == 1) {
            result += escaped(character[0]);
        } else if (is_control_of_two(character)) {
            result += escaped(character[1]);
        } else {
            result += character;
        }
        text.remove_prefix(length);
    }
    return result;
}

}  // namespace highwater
