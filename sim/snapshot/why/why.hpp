#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/allocator/stranded.hpp"
#include "sim/snapshot/why/owner.hpp"

namespace highwater {

/// What one owner has allocated, and what its blocks keep from going back to the device.
struct OwnerRow {
    std::string owner;
    std::size_t blocks = 0;
    Bytes allocated;
    /// In segments where nobody else has anything: without this owner's blocks the free bytes
    /// beside them could go back.
    Bytes holds_alone;
    std::size_t segments_alone = 0;
    /// In segments where others have blocks too: all of them would have to go.
    Bytes holds_with_others;
    std::size_t segments_with_others = 0;
    friend bool operator==(const OwnerRow&, const OwnerRow&) = default;
};

/// One pool, small and large together. reserved = allocated + free + waiting + parked.
struct PoolWhy {
    PoolId pool;
    Bytes reserved;
    Bytes allocated;
    Bytes free;
    Bytes waiting;
    Bytes parked;
    /// Of the free bytes, those that allocated blocks beside them keep (`PinnedSegment::held`).
    Bytes held;
    /// The request that it last grew for, and why what was free did not serve.
    std::optional<Growth> last_growth;
    /// Those that have most of it allocated, most first, at most `Why::kOwners`.
    std::vector<std::pair<std::string, Bytes>> owners;
    friend bool operator==(const PoolWhy&, const PoolWhy&) = default;
};

/// Where memory is at one moment, and who keeps it.
struct Why {
    static constexpr std::size_t kOwners = 5;

    /// Why what is free does not serve the request of the moment, if there is one.
    std::optional<Growth> request;
    /// Those that have anything reserved, most first.
    std::vector<PoolWhy> pools;
    std::vector<allocator::PoolStreamBytes> streams;
    /// By what they hold: alone, then with others, then by what they have allocated.
    std::vector<OwnerRow> owners;
    friend bool operator==(const Why&, const Why&) = default;
};

/// `request`: the one that caused the moment, with `s` as it found it.
Why why(const allocator::State& s,
        const OwnerOf& owner_of,
        const std::optional<allocator::Request>& request = {});

}  // namespace highwater
