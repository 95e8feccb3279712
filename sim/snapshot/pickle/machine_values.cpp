#include <fmt/format.h>

#include "sim/core/utf8.hpp"
#include "sim/snapshot/pickle/machine.hpp"
#include "sim/snapshot/pickle/text.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

}  // namespace

template <bool Is>
void Machine::push_bool() {
    push({Kind::kBool, 0, 0, Is ? 1 : 0});
}

template <std::unsigned_integral Number>
void Machine::push_int() {
    push({Kind::kInt, 0, 0, source_.number<Number>()});
}

void Machine::push_signed_int() {
    push({Kind::kInt, 0, 0, static_cast<std::int32_t>(source_.number<std::uint32_t>())});
}

// Two's complement, least byte first.
template <std::unsigned_integral Size>
void Machine::push_long() {
    const std::uint64_t size = source_.number<Size>();
    if (size > sizeof(std::int64_t)) {
        source_.skip(size);
        push({Kind::kHugeInt});
        return;
    }
    constexpr unsigned kByte = 8;
    const std::string_view bytes = source_.text(size);
    const bool is_negative =
        !bytes.empty() && (static_cast<unsigned char>(bytes.back()) >> 7U) != 0;
    std::uint64_t number = is_negative ? UINT64_MAX : 0;
    for (std::size_t i = bytes.size(); i > 0; --i) {
        number = (number << kByte) | static_cast<unsigned char>(bytes[i - 1]);
    }
    push({Kind::kInt, 0, 0, static_cast<std::int64_t>(number)});
}

// Most significant byte first.
void Machine::push_float() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(bits); ++i) {
        constexpr unsigned kByte = 8;
        bits = (bits << kByte) | source_.number<std::uint8_t>();
    }
    push({Kind::kFloat, 0, 0, static_cast<std::int64_t>(bits)});
}

template <std::unsigned_integral Size>
void Machine::push_string() {
    const std::uint64_t size = source_.number<Size>();
    if (size > ByteSource::kMostAtOnce) {
        refuse(origin_, fmt::format("a string of {} bytes, more than 1 MiB", size));
    }
    push_text(source_.text(size));
}

template <std::unsigned_integral Size>
void Machine::push_bytes() {
    source_.skip(source_.number<Size>());
    push({Kind::kBytes});
}

void Machine::push_int_line() {
    push(int_from(source_.line(), origin_));
}

void Machine::push_long_line() {
    push(long_from(source_.line(), origin_));
}

void Machine::push_float_line() {
    push(real_from(source_.line(), origin_));
}

void Machine::push_string_line() {
    push_text(from_quoted(source_.line(), origin_));
}

void Machine::push_unicode_line() {
    push_text(from_raw_unicode(source_.line(), origin_));
}

void Machine::push_text(std::string_view text) {
    std::string kept;
    push({Kind::kString, 0, 0, records_.strings.add(as_utf8(text, kept))});
}

void Machine::add_numbers(Steps& steps) {
    using Byte = std::uint8_t;
    using Two = std::uint16_t;
    using Four = std::uint32_t;
    steps.at(place(Op::kNone)) = &Machine::push_nothing;
    steps.at(place(Op::kNewTrue)) = &Machine::push_bool<true>;
    steps.at(place(Op::kNewFalse)) = &Machine::push_bool<false>;
    steps.at(place(Op::kInt)) = &Machine::push_int_line;
    steps.at(place(Op::kLong)) = &Machine::push_long_line;
    steps.at(place(Op::kFloat)) = &Machine::push_float_line;
    steps.at(place(Op::kBinInt1)) = &Machine::push_int<Byte>;
    steps.at(place(Op::kBinInt2)) = &Machine::push_int<Two>;
    steps.at(place(Op::kBinInt)) = &Machine::push_signed_int;
    steps.at(place(Op::kLong1)) = &Machine::push_long<Byte>;
    steps.at(place(Op::kLong4)) = &Machine::push_long<Four>;
    steps.at(place(Op::kBinFloat)) = &Machine::push_float;
}

void Machine::add_strings(Steps& steps) {
    using Byte = std::uint8_t;
    using Four = std::uint32_t;
    using Eight = std::uint64_t;
    steps.at(place(Op::kString)) = &Machine::push_string_line;
    steps.at(place(Op::kUnicode)) = &Machine::push_unicode_line;
    steps.at(place(Op::kShortBinString)) = &Machine::push_string<Byte>;
    steps.at(place(Op::kShortBinUnicode)) = &Machine::push_string<Byte>;
    steps.at(place(Op::kBinString)) = &Machine::push_string<Four>;
    steps.at(place(Op::kBinUnicode)) = &Machine::push_string<Four>;
    steps.at(place(Op::kBinUnicode8)) = &Machine::push_string<Eight>;
    steps.at(place(Op::kShortBinBytes)) = &Machine::push_bytes<Byte>;
    steps.at(place(Op::kBinBytes)) = &Machine::push_bytes<Four>;
    steps.at(place(Op::kBinBytes8)) = &Machine::push_bytes<Eight>;
    steps.at(place(Op::kByteArray8)) = &Machine::push_bytes<Eight>;
}

}  // namespace highwater::pickle
