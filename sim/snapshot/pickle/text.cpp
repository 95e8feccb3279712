#include "sim/snapshot/pickle/text.hpp"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/utf8.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

constexpr int kDecimal = 10;
constexpr int kHexadecimal = 16;

// Takes `digits` hexadecimal digits from the front.
char32_t take_hexadecimal(std::string_view& text, std::size_t digits, const Origin& origin) {
    std::uint32_t value = 0;
    const char* const end = text.data() + digits;
    if (text.size() < digits || std::from_chars(text.data(), end, value, kHexadecimal).ptr != end) {
        refuse(origin, "a string with half an escape");
    }
    text.remove_prefix(digits);
    return value;
}

void append_escaped(std::string& out, std::string_view& rest, const Origin& origin) {
    const char kind = rest.empty() ? '\0' : rest.front();
    rest.remove_prefix(rest.empty() ? 0 : 1);
    switch (kind) {
        case 'n':
            out += '\n';
            return;
        case 't':
            out += '\t';
            return;
        case 'r':
            out += '\r';
            return;
        case 'x':
            append_utf8(out, take_hexadecimal(rest, 2, origin));
            return;
        case '\\':
        case '\'':
        case '"':
            out += kind;
            return;
        default:
            refuse(origin, "a string with an escape that is not known");
    }
}

Value integer_from(std::string_view digits, const Origin& origin) {
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const std::from_chars_result read = std::from_chars(digits.data(), end, number, kDecimal);
    if (read.ptr != end || read.ec == std::errc::invalid_argument) {
        refuse(origin, "an integer that is none");
    }
    if (read.ec == std::errc::result_out_of_range) {
        return {Kind::kHugeInt};
    }
    return {Kind::kInt, 0, 0, number};
}

}  // namespace

std::string from_raw_unicode(std::string_view line, const Origin& origin) {
    constexpr std::size_t kShort = 4;
    constexpr std::size_t kLong = 8;
    std::string out;
    while (!line.empty()) {
        const char c = line.front();
        const char next = line.size() > 1 ? line[1] : '\0';
        if (c == '\\' && (next == 'u' || next == 'U')) {
            line.remove_prefix(2);
            append_utf8(out, take_hexadecimal(line, next == 'u' ? kShort : kLong, origin));
        } else {
            append_utf8(out, static_cast<unsigned char>(c));
            line.remove_prefix(1);
        }
    }
    return out;
}

std::string from_quoted(std::string_view line, const Origin& origin) {
    const bool is_quoted = line.size() >= 2 && line.front() == line.back() &&
                           (line.front() == '\'' || line.front() == '"');
    if (!is_quoted) {
        refuse(origin, "a string without its quotes");
    }
    std::string_view rest = line.substr(1, line.size() - 2);
    std::string out;
    while (!rest.empty()) {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '\\') {
            append_escaped(out, rest, origin);
        } else {
            append_utf8(out, static_cast<unsigned char>(c));
        }
    }
    return out;
}

Value int_from(std::string_view line, const Origin& origin) {
    if (line == "00" || line == "01") {
        return {Kind::kBool, 0, 0, line == "01" ? 1 : 0};
    }
    return integer_from(line, origin);
}

Value long_from(std::string_view line, const Origin& origin) {
    if (line.ends_with('L')) {
        line.remove_suffix(1);
    }
    return integer_from(line, origin);
}

Value real_from(std::string_view line, const Origin& origin) {
    double number = 0;
    const char* const end = line.data() + line.size();
    const std::from_chars_result read = std::from_chars(line.data(), end, number);
    if (read.ptr != end || read.ec != std::errc()) {
        refuse(origin, "a number that is none");
    }
    return {Kind::kFloat, 0, 0, std::bit_cast<std::int64_t>(number)};
}

std::uint64_t key_from(std::string_view line, const Origin& origin) {
    std::uint64_t key = 0;
    const char* const end = line.data() + line.size();
    const std::from_chars_result read = std::from_chars(line.data(), end, key, kDecimal);
    if (read.ptr != end || read.ec != std::errc()) {
        refuse(origin, "a value is named by what is no number");
    }
    return key;
}

}  // namespace highwater::pickle
