#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/allocator/trace_event.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/snapshot/stack_table.hpp"

namespace highwater {

/// An entry of a file's memory history, as it stands there (around-allocator specification 7.3).
struct SnapshotEvent {
    enum class Action : std::uint8_t {
        kAlloc,
        kFreeRequested,
        kFreeCompleted,
        kSegmentAlloc,
        kSegmentFree,
        kSegmentMap,
        kSegmentUnmap,
        kOom,
        /// A snapshot was taken.
        kSnapshot,
        /// A mark of the user's: `user_defined` of 2.4, `annotate` since 2.14.
        kAnnotation,
    };
    Action action{};
    StackId stack = kNoStack;
    StreamHandle stream{};
    /// Of an oom: what the driver had free, in bytes.
    Address address;
    /// In bytes: the request of alloc and both frees, the rounded request of oom.
    Bytes size;
    /// Microseconds since 1970; 0 where the file has none.
    std::int64_t time_us = 0;
    /// Since PyTorch 2.12. `nullopt` where the file does not say.
    std::optional<PoolId> pool;
    friend bool operator==(const SnapshotEvent&, const SnapshotEvent&) = default;
};

/// The kinds of a simulation are the first actions of a file, in the same order.
constexpr SnapshotEvent::Action action_of(TraceEvent::Kind kind) {
    return static_cast<SnapshotEvent::Action>(kind);
}
static_assert(action_of(TraceEvent::Kind::kAlloc) == SnapshotEvent::Action::kAlloc);
static_assert(action_of(TraceEvent::Kind::kSegmentMap) == SnapshotEvent::Action::kSegmentMap);
static_assert(action_of(TraceEvent::Kind::kOom) == SnapshotEvent::Action::kOom);

/// PyTorch's names of the actions; of the two for marks the older.
constexpr std::string_view name_of(SnapshotEvent::Action action) {
    if (action == SnapshotEvent::Action::kAnnotation) {
        return "user_defined";
    }
    return action == SnapshotEvent::Action::kSnapshot
               ? "snapshot"
               : name_of(static_cast<TraceEvent::Kind>(action));
}

}  // namespace highwater
