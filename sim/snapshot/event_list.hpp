#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "sim/snapshot/hash_index.hpp"
#include "sim/snapshot/list_iterator.hpp"
#include "sim/snapshot/number_list.hpp"
#include "sim/snapshot/snapshot_event.hpp"

namespace highwater {

/// The history of a file, oldest event first: a file of a gigabyte has up to 28 million events, so
/// one takes 5 to 16 bytes. What many have in common (action, size, stream, pool) is kept once; a
/// history in which no two events have anything in common takes about 110 bytes an event. Events
/// come out as values, and none can be changed in its place.
class EventList {
  public:
    using Iterator = ListIterator<EventList, SnapshotEvent>;

    EventList() = default;
    EventList(std::initializer_list<SnapshotEvent> events);
    explicit EventList(std::span<const SnapshotEvent> events);

    void push_back(const SnapshotEvent& event);

    std::size_t size() const { return common_.size(); }
    bool empty() const { return size() == 0; }
    /// Const, so that nobody sets a part of the copy.
    // NOLINTNEXTLINE(readability-const-return-type)
    const SnapshotEvent operator[](std::size_t i) const;
    /// The same, of a place that must be there.
    // NOLINTNEXTLINE(readability-const-return-type)
    const SnapshotEvent at(std::size_t i) const;
    SnapshotEvent front() const { return at(0); }
    SnapshotEvent back() const { return at(size() - 1); }
    Iterator begin() const;
    Iterator end() const;

    /// `count` events from `first`. The rest is lost, and given back piece by piece on the way.
    EventList part(std::size_t first, std::size_t count) &&;

    friend bool operator==(const EventList& a, const EventList& b);

  private:
    // What tends to be the same in many events. Of addresses that is all but bits 9 to 40: blocks
    // are multiples of 512 bytes, and a card's lie close together.
    struct Common {
        SnapshotEvent::Action action{};
        std::uint16_t address_low = 0;
        std::uint32_t address_high = 0;
        StreamHandle stream{};
        Bytes size;
        std::optional<PoolId> pool;
        friend bool operator==(const Common&, const Common&) = default;
    };
    // From event `first` on, up to the next base.
    struct TimeBase {
        std::size_t first = 0;
        std::uint64_t time_us = 0;
    };

    std::uint32_t number_of(const Common& common);
    std::uint32_t time_since_base(std::int64_t time_us);
    std::uint64_t base_of(std::size_t i) const;

    // By event.
    NumberList common_;
    NumberList stack_;
    NumberList address_middle_;
    // Microseconds after the time base that holds there.
    NumberList time_;
    std::vector<Common> commons_;
    HashIndex common_index_;
    std::vector<TimeBase> bases_;
};

inline EventList::Iterator EventList::begin() const {
    return {*this, 0};
}

inline EventList::Iterator EventList::end() const {
    return {*this, size()};
}

}  // namespace highwater
