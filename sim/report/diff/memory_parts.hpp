#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// What a part of the memory holds; no value for what the source does not tell.
struct PartSizes {
    std::optional<Bytes> allocated{};
    std::optional<Bytes> reserved{};
    std::optional<std::uint64_t> segments{};
    friend bool operator==(const PartSizes&, const PartSizes&) = default;
};

using PartsByName = std::map<std::string, PartSizes>;

/// The memory of one moment, cut three ways. A snapshot file or the JSON of a run comes down to it.
struct MemoryParts {
    PartSizes total;
    PartsByName pools;
    PartsByName streams;
    /// Blocks by the frame that asked for them; segments, and so what is reserved, by the frame
    /// whose request took them from the device. Empty where no stacks are recorded.
    PartsByName owners;
    /// What the names leave out, a sentence each.
    std::vector<std::string> notices;
    friend bool operator==(const MemoryParts&, const MemoryParts&) = default;
};

/// Of the segments when the file was written. Pools are named by their ids, streams by their
/// handles, owners as `owner_frame` says.
MemoryParts parts_of(const Snapshot& snapshot);

/// Of the end of a run: what `run --json` or `replay --json` wrote. `name` is for messages. Throws
/// `InputError` for text that is no such JSON, or that has several points of a sweep.
MemoryParts parts_of_result(std::string_view json, const std::string& name);

}  // namespace highwater
