#include "sim/snapshot/pickle/fields.hpp"

#include <fmt/format.h>

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

// PyTorch numbers devices with a signed byte.
constexpr std::uint64_t kMostDevices = 128;

}  // namespace

void Fields::fail(Word key, std::string_view problem) const {
    refuse(origin_, fmt::format("`{}` of {} {}", text_of(key), what_, problem));
}

const Value* Fields::find(Word key) const {
    for (std::size_t i = pairs_.size(); i >= 2; i -= 2) {
        if (pairs_[i - 2].is(key)) {
            return &pairs_[i - 1];
        }
    }
    return nullptr;
}

const Value& Fields::at(Word key) const {
    const Value* const value = find(key);
    if (value == nullptr) {
        fail(key, "is missing");
    }
    return *value;
}

std::uint64_t Fields::number_in(const Value& value, Word key) const {
    if (value.kind == Kind::kHugeInt) {
        fail(key, "is not between 0 and 2^62");
    }
    if (value.kind != Kind::kInt) {
        fail(key, "is not an integer");
    }
    if (value.bits < 0) {
        fail(key, fmt::format("is {}, below 0", value.bits));
    }
    if (static_cast<std::uint64_t>(value.bits) > kMostBytes.count) {
        fail(key, fmt::format("is {}, above 2^62", value.bits));
    }
    return static_cast<std::uint64_t>(value.bits);
}

std::int64_t Fields::line() const {
    const Value* const value = find(Word::kLine);
    const bool is_unknown = value == nullptr || value->kind == Kind::kHugeInt ||
                            (value->kind == Kind::kInt && value->bits < 0);
    return is_unknown ? 0 : static_cast<std::int64_t>(number_if_any(Word::kLine).value_or(0));
}

std::uint64_t Fields::number(Word key) const {
    return number_in(at(key), key);
}

std::optional<std::uint64_t> Fields::number_if_any(Word key) const {
    const Value* const value = find(key);
    if (value == nullptr || value->kind == Kind::kNone) {
        return std::nullopt;
    }
    return number_in(*value, key);
}

std::optional<Bytes> Fields::bytes_if_any(Word key) const {
    const std::optional<std::uint64_t> number = number_if_any(key);
    return number ? std::optional(Bytes{*number}) : std::nullopt;
}

std::uint32_t Fields::device() const {
    const std::uint64_t device = number_if_any(Word::kDevice).value_or(0);
    if (device >= kMostDevices) {
        fail(Word::kDevice, fmt::format("is {}, and PyTorch has up to {}", device, kMostDevices));
    }
    return static_cast<std::uint32_t>(device);
}

bool Fields::flag(Word key) const {
    const Value* const value = find(key);
    if (value == nullptr || value->kind == Kind::kNone) {
        return false;
    }
    if (value->kind != Kind::kBool && value->kind != Kind::kInt) {
        fail(key, "is neither true nor false");
    }
    return value->bits != 0;
}

std::uint32_t Fields::string(Word key) const {
    const Value& value = at(key);
    if (value.kind != Kind::kString) {
        fail(key, "is not a string");
    }
    return value.number();
}

std::uint32_t Fields::choice(Word key, Word first, Word last) const {
    const std::uint32_t found = string(key);
    if (found < static_cast<std::uint32_t>(first) || found > static_cast<std::uint32_t>(last)) {
        constexpr std::size_t kLongest = 40;
        fail(key,
             fmt::format("is `{}`, which is not known",
                         records_.strings.text(found).substr(0, kLongest)));
    }
    return found - static_cast<std::uint32_t>(first);
}

StackId Fields::frames() const {
    const Value* const value = find(Word::kFrames);
    if (value == nullptr || value->kind == Kind::kEmptyList || value->kind == Kind::kNone) {
        return kNoStack;
    }
    if (value->kind != Kind::kStack) {
        fail(Word::kFrames, "are no list of frames");
    }
    return StackId{value->number()};
}

std::optional<PoolId> Fields::pool(Word key) const {
    const Value* const value = find(key);
    if (value == nullptr || value->kind == Kind::kNone) {
        return std::nullopt;
    }
    if (value->kind != Kind::kPair) {
        fail(key, "is not two integers");
    }
    return records_.pairs[value->first()];
}

}  // namespace highwater::pickle
