#include "sim/snapshot/pickle/memo.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater::pickle {
namespace {

// A place is a tag and a number below it; 0 is an empty one.
constexpr unsigned kTagShift = 28;
constexpr std::uint32_t kMostNumbers = 1U << kTagShift;
enum Tag : std::uint32_t { kUnused, kString, kFrame, kStack, kOpen, kEmptyList, kRecord, kOther };

constexpr std::uint64_t kLargestGap = 1U << 20U;
constexpr std::uint64_t kMostPlaces = 1U << 27U;
constexpr std::size_t kMostOthers = 1U << 24U;

Tag tag_of(const Value& value) {
    switch (value.kind) {
        case Value::Kind::kString:
            return kString;
        case Value::Kind::kFrame:
            return kFrame;
        case Value::Kind::kStack:
            return kStack;
        case Value::Kind::kOpen:
            return kOpen;
        case Value::Kind::kEmptyList:
            return kEmptyList;
        default:
            return is_run(value.kind) ? kRecord : kOther;
    }
}

Value::Kind kind_of(std::uint32_t tag) {
    switch (tag) {
        case kString:
            return Value::Kind::kString;
        case kFrame:
            return Value::Kind::kFrame;
        case kStack:
            return Value::Kind::kStack;
        case kOpen:
            return Value::Kind::kOpen;
        default:
            return Value::Kind::kEmptyList;
    }
}

}  // namespace

std::uint32_t Memo::packed(const Value& value, const Origin& origin) {
    Tag tag = tag_of(value);
    std::uint64_t number = tag == kRecord ? 0 : static_cast<std::uint64_t>(value.bits);
    if (tag == kOther || number >= kMostNumbers) {
        if (others_.size() == kMostOthers) {
            refuse(origin, "more values to be named again than a snapshot has");
        }
        tag = kOther;
        number = others_.size();
        others_.push_back(value);
    }
    return (static_cast<std::uint32_t>(tag) << kTagShift) | static_cast<std::uint32_t>(number);
}

void Memo::put(std::uint64_t key, const Value& value, const Origin& origin) {
    if (key >= std::min(places_.size() + kLargestGap, kMostPlaces)) {
        refuse(origin,
               fmt::format("a value is to be kept as number {}, far above the {} in use",
                           key,
                           places_.size()));
    }
    if (key >= places_.size()) {
        places_.resize(key + 1);
    }
    used_ += places_[key] == kUnused ? 1U : 0U;
    places_[key] = packed(value, origin);
}

Value Memo::get(std::uint64_t key, const Origin& origin) const {
    if (key >= places_.size() || places_[key] == kUnused) {
        refuse(origin, fmt::format("value number {} is named before it is there", key));
    }
    const std::uint32_t tag = places_[key] >> kTagShift;
    const std::uint32_t number = places_[key] & (kMostNumbers - 1);
    if (tag == kRecord) {
        refuse(origin, "an event, block, segment or annotation stands in two places");
    }
    return tag == kOther ? others_[number] : Value{kind_of(tag), 0, 0, number};
}

}  // namespace highwater::pickle
