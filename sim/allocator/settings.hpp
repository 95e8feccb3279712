#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/roundup_divisions.hpp"
#include "sim/allocator/settings_error.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

enum class AllocatorBackend { kNative, kCudaMallocAsync };

/// The options of PYTORCH_CUDA_ALLOC_CONF, in PyTorch 2.11 (around-allocator specification 1.3 to
/// 1.5). "Reset" options go back to their default whenever a text is applied, "sticky" ones do not.
struct AllocatorSettings {
    /// The text applied last, also where it was refused. PyTorch shows it in snapshots.
    std::string conf;

    // Reset.

    /// Blocks and requests of at least this size are oversize: not split, and not given to smaller
    /// requests. None is unlimited.
    std::optional<Bytes> max_split_size;
    /// An oversize request takes a cached block only if the block is smaller than request + this.
    /// 0 where PyTorch's value is so near 2^64 that its own sum wraps around, and no block is ever
    /// smaller (`max_non_split_rounding_mb:-1`).
    Bytes max_non_split_rounding = kDefaultLargeSegmentSize;
    /// In (0, 1), a share of the memory limit; 0 is off.
    double garbage_collection_threshold = 0;
    RoundupDivisions roundup_power2_divisions;

    // Sticky.

    /// In [11 MiB, `kMaxLargeSegmentSize`].
    Bytes large_segment_size = kDefaultLargeSegmentSize;
    bool expandable_segments = false;
    bool graph_capture_record_stream_reuse = false;
    /// In [0, 1], of the device's memory; looked at when a device's allocator is made, no later.
    double per_process_memory_fraction = 1;
    /// Chosen once, when PyTorch is loaded; texts applied later must agree.
    AllocatorBackend backend = AllocatorBackend::kNative;
    bool release_lock_on_cudamalloc = false;

    // Sticky, of the allocator of pinned host memory.

    bool pinned_use_background_threads = false;
    bool pinned_use_cuda_host_register = false;
    /// A power of two, at most 128.
    std::uint64_t pinned_num_register_threads = 1;
    Bytes pinned_reserve_segment_size;

    friend bool operator==(const AllocatorSettings&, const AllocatorSettings&) = default;
};

/// Applies `text` as a running PyTorch does: resets, then every key of the device-independent
/// parser over the whole text, then every CUDA key over the whole text again. Throws
/// `SettingsError` where PyTorch does, and leaves in `settings` what was applied until then.
void apply_settings(AllocatorSettings& settings, std::string_view text);

/// The settings of a process started with `text` in its environment. The text also chooses the
/// backend, and PyTorch then reads the CUDA keys first; which error is met first may differ from
/// `apply_settings`. PyTorch reads the text when it first needs it, with the backend
/// cudaMallocAsync perhaps never; here it is always read whole.
AllocatorSettings parse_settings(std::string_view text);

}  // namespace highwater
