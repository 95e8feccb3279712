#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// What is wrong with two accesses to the same memory, told apart by what mends it.
enum class HazardKind : std::uint8_t {
    /// Nothing orders two accesses to one tensor, a write among them.
    kUnordered,
    /// A tensor was freed while a stream other than its own could still be at work on it, and its
    /// memory was handed out again: `record_stream` is missing.
    kReusedInUse,
    /// The same, although `record_stream` was called: inside `use_mem_pool` or a capture PyTorch
    /// 2.11 forgets it (around-allocator specification 4 and 12).
    kRecordForgotten,
    /// A stream uses memory that is only ready in the order of the stream it was allocated on.
    kUsedTooEarly,
    /// A graph runs at the same time as another graph, or other work, that its memory serves too.
    kReplayOverlap,
    /// Ordered, but too late: what is read is no longer what was written for the reader.
    kOverwritten,
    /// A graph is replayed that uses a tensor that has been freed.
    kStaleAddress,
    /// Memory of an expandable segment is unmapped while a stream can still be at work on it.
    kUnmappedInUse,
};

/// In the order of `HazardKind`, for machines.
inline constexpr std::array<std::string_view, 8> kHazardKindNames{"unordered",
                                                                  "reused_in_use",
                                                                  "record_forgotten",
                                                                  "used_too_early",
                                                                  "replay_overlap",
                                                                  "overwritten",
                                                                  "stale_address",
                                                                  "unmapped_in_use"};

constexpr std::string_view name_of(HazardKind kind) {
    return kHazardKindNames[static_cast<std::size_t>(kind)];
}

/// One of a hazard's two operations, and what it does there.
struct HazardSide {
    enum class Does : std::uint8_t { kRead, kWrite, kFree, kUnmap };
    /// Index into `Program::ops`.
    std::size_t op = 0;
    Does does{};
    /// Of an unmapping what was mapped there is meant: the same tensor as on the other side.
    TensorId tensor{};
    StreamId stream{};
    /// The graph whose replay `op` is.
    std::optional<GraphId> graph;
    /// The operation that it captured, an index into `Program::ops`.
    std::optional<std::size_t> captured_op;
    friend bool operator==(const HazardSide&, const HazardSide&) = default;
};

/// Two operations that access the same memory. The host calls `first` first.
struct Hazard {
    HazardKind kind{};
    HazardSide first;
    HazardSide second;
    /// The stream that the second one's tensor was allocated on.
    StreamId home{};
    /// Where the first one's tensor was freed, if it was.
    std::optional<std::size_t> freed;
    /// Both are nodes of this graph: found when it is captured, not at each replay.
    std::optional<GraphId> within;
    /// The first one is a replay that overwrote what this earlier one had left for the second.
    std::optional<std::size_t> outrun;
    /// Of the memory that they share.
    Address begin;
    Bytes size;
    /// How often it happened between the same two places of the source.
    std::uint64_t count = 1;
    friend bool operator==(const Hazard&, const Hazard&) = default;
};

}  // namespace highwater
