#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/report/diff/memory_parts.hpp"

namespace highwater {

/// A part of the memory before and after; without anything on a side where it is not there.
struct PartChange {
    std::string name;
    PartSizes before;
    PartSizes after;
    friend bool operator==(const PartChange&, const PartChange&) = default;
};

/// What grew and what shrank between two moments, of one process or of two.
struct MemoryDiff {
    PartChange total;
    /// Only parts that changed. What grew most in reserved bytes comes first, what shrank most
    /// last; owners by allocated bytes.
    std::vector<PartChange> pools;
    std::vector<PartChange> streams;
    std::vector<PartChange> owners;
    std::vector<std::string> notices;

    bool is_same() const {
        return total.before == total.after && pools.empty() && streams.empty() && owners.empty();
    }
    friend bool operator==(const MemoryDiff&, const MemoryDiff&) = default;
};

/// Parts are the same if their names are. Handles of streams differ from process to process: where
/// the two have none in common but the default stream's, streams are told apart by how much they
/// have reserved, and a notice says so.
MemoryDiff diff(MemoryParts before, MemoryParts after);

/// Of two snapshot files.
MemoryDiff diff(const Snapshot& before, const Snapshot& after);

/// For people: a table for each way of cutting that shows a change.
std::string diff_tables(const MemoryDiff& diff);

/// Exact bytes; growth is after - before. null for what a side does not tell.
nlohmann::ordered_json diff_json(const MemoryDiff& diff);

}  // namespace highwater
