#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/snapshot/event_list.hpp"
#include "sim/snapshot/snapshot_event.hpp"
#include "sim/snapshot/stack_table.hpp"

namespace highwater {

struct SnapshotBlock {
    Address address;
    Bytes size;
    /// Of an inactive block: the last request it served, or 0. `kUnknownRequest` where the file
    /// does not say.
    Bytes requested;
    BlockState state{};
    StackId stack = kNoStack;
    friend bool operator==(const SnapshotBlock&, const SnapshotBlock&) = default;
};

/// A segment, or one contiguous mapped range of an expandable one. The blocks tile it in address
/// order.
struct SnapshotSegment {
    Address address;
    Bytes size;
    StreamHandle stream{};
    PoolKind kind{};
    PoolId pool;
    bool is_expandable = false;
    StackId stack = kNoStack;
    std::vector<SnapshotBlock> blocks;
    friend bool operator==(const SnapshotSegment&, const SnapshotSegment&) = default;
};

/// The settings in force when the file was written, as far as it tells (7.4). What `nullopt` stands
/// for is not in the file.
struct SnapshotSettings {
    /// PYTORCH_CUDA_ALLOC_CONF. Settings changed while the program ran may be missing from it.
    std::optional<std::string> conf;
    /// PyTorch exports it signed: below 0 is no limit.
    std::optional<std::int64_t> max_split_size;
    std::optional<double> garbage_collection_threshold;
    std::optional<bool> expandable_segments;
    std::optional<bool> graph_capture_record_stream_reuse;
    std::optional<bool> release_lock_on_cudamalloc;
    /// Of pinned host memory.
    std::optional<std::int64_t> pinned_num_register_threads;
    std::optional<bool> pinned_use_cuda_host_register;
    /// By slot: up to 1 MiB, 2 MiB, ... 32 GiB; 0 is off.
    std::optional<std::vector<std::int64_t>> roundup_power2_divisions;
    friend bool operator==(const SnapshotSettings&, const SnapshotSettings&) = default;
};

/// A mark of `record_function`, from the file's external annotations.
struct SnapshotAnnotation {
    std::string name;
    bool is_start = false;
    std::int64_t time_us = 0;
    friend bool operator==(const SnapshotAnnotation&, const SnapshotAnnotation&) = default;
};

/// What a file says about one device's memory: the segments when it was written, and the history
/// before that, oldest first. Values only; nothing is checked against anything else until it is
/// replayed, but that sizes add up, blocks tile their segments and segments do not overlap.
struct Snapshot {
    /// For messages.
    std::string name;
    /// PyTorch's ordinal.
    std::uint32_t device = 0;
    EventList events;
    std::vector<SnapshotSegment> segments;
    /// The segments before the first event, from files that hold them. PyTorch's do not.
    std::optional<std::vector<SnapshotSegment>> base;
    SnapshotSettings settings;
    std::vector<SnapshotAnnotation> annotations;
    StackTable stacks;
    /// What the reader could not know or passed over, a sentence each.
    std::vector<std::string> notices;
};

}  // namespace highwater
