#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/settings.hpp"
#include "sim/snapshot/number_list.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// A region by its place in `History::regions`.
enum class RegionId : std::uint32_t {};
inline constexpr RegionId kNoRegion{UINT32_MAX};

/// A segment, or all that was ever mapped of an expandable one.
struct Region {
    /// The lowest address it ever had, and the end of the highest.
    Address begin;
    Address end;
    StreamHandle stream{};
    PoolKind kind{};
    bool is_expandable = false;
    /// None if it was given back before the file was written, and its events do not tell.
    std::optional<PoolId> pool;
};

/// A block that was allocated or pending before the first event.
struct StartBlock {
    Address address;
    /// Exact if it lived to the end, or if something was allocated right behind it while it lived;
    /// else the least that the rules allow.
    Bytes size;
    Bytes requested;
    bool is_pending = false;
    /// By how much it may be larger.
    Bytes slack;
};

/// A segment, or a contiguous mapped range, before the first event. What lies between its blocks is
/// free: free neighbours are always one block.
struct StartRange {
    Address address;
    Bytes size;
    RegionId region{};
    std::vector<StartBlock> blocks;
};

/// What a file's segments and events say together about all of its history.
struct History {
    std::vector<Region> regions;
    /// Where the event happened; `kNoRegion` of events that have no place.
    RegionId region_of(std::size_t event) const { return RegionId{event_regions[event]}; }

    /// By event.
    NumberList event_regions;
    /// Events before it do not fit those after it and are left out.
    std::size_t first_event = 0;
    /// By address, before `first_event`.
    std::vector<StartRange> start;
    /// What could not be known, a sentence each.
    std::vector<std::string> notices;
};

/// Undoes a file's events from its segments, last to first (around-allocator specification 7.3: it
/// stays exact when the ring of events has overflowed). The sizes of blocks follow from `settings`.
History history_of(const Snapshot& snapshot, const AllocatorSettings& settings);

}  // namespace highwater
