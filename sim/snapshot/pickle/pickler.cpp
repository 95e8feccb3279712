#include "sim/snapshot/pickle/pickler.hpp"

#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

#include "sim/snapshot/pickle/opcodes.hpp"

namespace highwater::pickle {
namespace {

constexpr unsigned kByte = 8;
constexpr std::uint8_t kProtocol = 4;

constexpr char code(Op op) {
    return static_cast<char>(op);
}

template <typename Number>
constexpr bool fits(std::int64_t value) {
    return value >= std::numeric_limits<Number>::min() &&
           value <= std::int64_t{std::numeric_limits<Number>::max()};
}

// Of the shortest two's complement.
unsigned length_of(std::int64_t value) {
    unsigned bytes = 1;
    while (bytes < sizeof(value) && (value >> (kByte * bytes - 1)) != (value < 0 ? -1 : 0)) {
        ++bytes;
    }
    return bytes;
}

}  // namespace

Pickler::Pickler() : bytes_{code(Op::kProto), static_cast<char>(kProtocol)} {}

void Pickler::little(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
        bytes_ += static_cast<char>(value >> (kByte * i));
    }
}

void Pickler::integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if (fits<std::uint8_t>(value)) {
        bytes_ += code(Op::kBinInt1);
        little(bits, 1);
    } else if (fits<std::uint16_t>(value)) {
        bytes_ += code(Op::kBinInt2);
        little(bits, 2);
    } else if (fits<std::int32_t>(value)) {
        bytes_ += code(Op::kBinInt);
        little(bits, 4);
    } else {
        bytes_ += code(Op::kLong1);
        const unsigned length = length_of(value);
        little(length, 1);
        little(bits, length);
    }
}

void Pickler::real(double value) {
    bytes_ += code(Op::kBinFloat);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned i = sizeof(bits); i > 0; --i) {
        bytes_ += static_cast<char>(bits >> (kByte * (i - 1)));
    }
}

void Pickler::boolean(bool value) {
    bytes_ += code(value ? Op::kNewTrue : Op::kNewFalse);
}

void Pickler::text(std::string_view value) {
    if (const auto known = texts_.find(value); known != texts_.end()) {
        named(known->second);
        return;
    }
    if (fits<std::uint8_t>(static_cast<std::int64_t>(value.size()))) {
        bytes_ += code(Op::kShortBinUnicode);
        little(value.size(), 1);
    } else {
        bytes_ += code(Op::kBinUnicode);
        little(value.size(), 4);
    }
    bytes_ += value;
    texts_.emplace(value, number());
}

void Pickler::named(Number number) {
    const auto value = static_cast<std::uint32_t>(number);
    const bool is_short = fits<std::uint8_t>(value);
    bytes_ += code(is_short ? Op::kBinGet : Op::kLongBinGet);
    little(value, is_short ? 1 : 4);
}

void Pickler::pair() {
    bytes_ += code(Op::kTuple2);
}

void Pickler::begin_dict() {
    bytes_ += code(Op::kEmptyDict);
    bytes_ += code(Op::kMark);
}

void Pickler::end_dict() {
    bytes_ += code(Op::kSetItems);
}

void Pickler::begin_list() {
    bytes_ += code(Op::kEmptyList);
    bytes_ += code(Op::kMark);
}

void Pickler::next_item(std::size_t index) {
    constexpr std::size_t kAtOnce = 1000;
    if (index > 0 && index % kAtOnce == 0) {
        bytes_ += code(Op::kAppends);
        bytes_ += code(Op::kMark);
    }
}

void Pickler::end_list() {
    bytes_ += code(Op::kAppends);
}

Pickler::Number Pickler::number() {
    bytes_ += code(Op::kMemoize);
    return Number{numbers_++};
}

std::string Pickler::finish() && {
    bytes_ += code(Op::kStop);
    return std::move(bytes_);
}

}  // namespace highwater::pickle
