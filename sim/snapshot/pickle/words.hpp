#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace highwater::pickle {

/// The strings that mean something in a snapshot file, in the order of `kWords`.
enum class Word : std::uint32_t {
    // Keys of the whole (around-allocator specification 7.1).
    kSegments,
    kDeviceTraces,
    kAllocatorSettings,
    kExternalAnnotations,
    // Keys of segments and blocks (7.2).
    kDevice,
    kAddress,
    kTotalSize,
    kAllocatedSize,
    kActiveSize,
    kRequestedSize,
    kStream,
    kSegmentType,
    kSegmentPoolId,
    kIsExpandable,
    kFrames,
    kBlocks,
    kSize,
    kState,
    // Keys of events and of marks (7.3).
    kAction,
    kAddr,
    kDeviceFree,
    kTimeUs,
    kPoolId,
    kStage,
    kName,
    // Keys of frames, beside `name`.
    kFilename,
    kLine,
    // Keys of the settings (7.4).
    kCudaAllocConf,
    kAllocConf,
    kMaxSplitSize,
    kGarbageCollectionThreshold,
    kExpandableSegments,
    kGraphCaptureRecordStreamReuse,
    kReleaseLockOnCudaMalloc,
    kPinnedNumRegisterThreads,
    kPinnedUseCudaHostRegister,
    kRoundupPower2Divisions,
    // Actions, in the order of `SnapshotEvent::Action`; two are annotations.
    kAlloc,
    kFreeRequested,
    kFreeCompleted,
    kSegmentAlloc,
    kSegmentFree,
    kSegmentMap,
    kSegmentUnmap,
    kOom,
    kSnapshot,
    kUserDefined,
    kAnnotate,
    // States. What documentation calls `active_awaiting_free` is the same as pending.
    kInactive,
    kActiveAllocated,
    kActivePendingFree,
    kActiveAwaitingFree,
    // Types of segments, and stages of marks.
    kSmall,
    kLarge,
    kStart,
    kEnd,
};

inline constexpr std::array kWords =
    std::to_array<std::string_view>({"segments",
                                     "device_traces",
                                     "allocator_settings",
                                     "external_annotations",
                                     "device",
                                     "address",
                                     "total_size",
                                     "allocated_size",
                                     "active_size",
                                     "requested_size",
                                     "stream",
                                     "segment_type",
                                     "segment_pool_id",
                                     "is_expandable",
                                     "frames",
                                     "blocks",
                                     "size",
                                     "state",
                                     "action",
                                     "addr",
                                     "device_free",
                                     "time_us",
                                     "pool_id",
                                     "stage",
                                     "name",
                                     "filename",
                                     "line",
                                     "PYTORCH_CUDA_ALLOC_CONF",
                                     "PYTORCH_ALLOC_CONF",
                                     "max_split_size",
                                     "garbage_collection_threshold",
                                     "expandable_segments",
                                     "graph_capture_record_stream_reuse",
                                     "release_lock_on_cudamalloc",
                                     "pinned_num_register_threads",
                                     "pinned_use_cuda_host_register",
                                     "roundup_power2_divisions",
                                     "alloc",
                                     "free_requested",
                                     "free_completed",
                                     "segment_alloc",
                                     "segment_free",
                                     "segment_map",
                                     "segment_unmap",
                                     "oom",
                                     "snapshot",
                                     "user_defined",
                                     "annotate",
                                     "inactive",
                                     "active_allocated",
                                     "active_pending_free",
                                     "active_awaiting_free",
                                     "small",
                                     "large",
                                     "START",
                                     "END"});
static_assert(kWords.size() == static_cast<std::size_t>(Word::kEnd) + 1);

constexpr std::string_view text_of(Word word) {
    return kWords.at(static_cast<std::size_t>(word));
}

}  // namespace highwater::pickle
