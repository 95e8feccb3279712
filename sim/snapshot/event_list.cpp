#include "sim/snapshot/event_list.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

constexpr unsigned kLowBits = 9;
constexpr unsigned kHighShift = 41;
constexpr std::uint64_t kLowMask = (std::uint64_t{1} << kLowBits) - 1;

std::uint64_t hash_of_pool(const std::optional<PoolId>& pool) {
    return pool ? mixed(pool->first, pool->second) : UINT64_MAX;
}

}  // namespace

EventList::EventList(std::initializer_list<SnapshotEvent> events)
    : EventList(std::span(events.begin(), events.size())) {}

EventList::EventList(std::span<const SnapshotEvent> events) {
    for (const SnapshotEvent& event : events) {
        push_back(event);
    }
}

void EventList::push_back(const SnapshotEvent& event) {
    const std::uint64_t address = event.address.value;
    const std::uint32_t common =
        number_of({.action = event.action,
                   .address_low = static_cast<std::uint16_t>(address & kLowMask),
                   .address_high = static_cast<std::uint32_t>(address >> kHighShift),
                   .stream = event.stream,
                   .size = event.size,
                   .pool = event.pool});
    // Before the event itself: it tells where a new base begins.
    const std::uint32_t time = time_since_base(event.time_us);
    common_.push_back(common);
    stack_.push_back(static_cast<std::uint32_t>(event.stack));
    address_middle_.push_back(static_cast<std::uint32_t>(address >> kLowBits));
    time_.push_back(time);
}

// NOLINTNEXTLINE(readability-const-return-type)
const SnapshotEvent EventList::operator[](std::size_t i) const {
    const Common& common = commons_[common_[i]];
    const std::uint64_t address = (std::uint64_t{common.address_high} << kHighShift) |
                                  (std::uint64_t{address_middle_[i]} << kLowBits) |
                                  common.address_low;
    return {.action = common.action,
            .stack = StackId{stack_[i]},
            .stream = common.stream,
            .address = {address},
            .size = common.size,
            .time_us = static_cast<std::int64_t>(base_of(i) + time_[i]),
            .pool = common.pool};
}

// NOLINTNEXTLINE(readability-const-return-type)
const SnapshotEvent EventList::at(std::size_t i) const {
    check(i < size(), "an event is one of its history");
    return (*this)[i];
}

EventList EventList::part(std::size_t first, std::size_t count) && {
    if (first == 0 && count == size()) {
        return std::move(*this);
    }
    EventList result;
    for (std::size_t i = first; i < first + count; ++i) {
        result.push_back(at(i));
        if ((i + 1) % NumberList::kPiece == 0) {
            for (NumberList* list : {&common_, &stack_, &address_middle_, &time_}) {
                list->forget_piece(i >> NumberList::kPieceShift);
            }
        }
    }
    *this = {};
    return result;
}

bool operator==(const EventList& a, const EventList& b) {
    return std::ranges::equal(a, b);
}

std::uint32_t EventList::number_of(const Common& common) {
    std::uint64_t hash = mixed(index_of(common.action), static_cast<std::uint64_t>(common.stream));
    hash = mixed(hash, common.size.count);
    hash = mixed(hash, (std::uint64_t{common.address_high} << kLowBits) | common.address_low);
    hash = mixed(hash, hash_of_pool(common.pool));
    std::uint32_t number =
        common_index_.find(hash, [&](std::uint32_t known) { return commons_[known] == common; });
    if (number == HashIndex::kNone) {
        number = static_cast<std::uint32_t>(commons_.size());
        commons_.push_back(common);
        common_index_.add(hash, number);
    }
    return number;
}

// Unsigned, so that any two times have a difference.
std::uint32_t EventList::time_since_base(std::int64_t time_us) {
    const auto time = static_cast<std::uint64_t>(time_us);
    if (bases_.empty() || time - bases_.back().time_us > UINT32_MAX) {
        // In the middle: the next event may be a little earlier.
        bases_.push_back({size(), time - UINT32_MAX / 2});
    }
    return static_cast<std::uint32_t>(time - bases_.back().time_us);
}

std::uint64_t EventList::base_of(std::size_t i) const {
    if (bases_.back().first <= i) {
        return bases_.back().time_us;
    }
    const auto after = std::ranges::upper_bound(bases_, i, {}, &TimeBase::first);
    return (after - 1)->time_us;
}

}  // namespace highwater
