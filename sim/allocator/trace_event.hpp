#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// An entry of PyTorch's memory history (around-allocator specification 7.3). `size` is in bytes:
/// the request for alloc and both frees, the segment or range for the segment kinds, the rounded
/// request for oom. `address` has no meaning for oom.
struct TraceEvent {
    enum class Kind : std::uint8_t {
        kAlloc,
        kFreeRequested,
        kFreeCompleted,
        kSegmentAlloc,
        kSegmentFree,
        kSegmentMap,
        kSegmentUnmap,
        kOom,
    };
    Kind kind{};
    StreamId stream{};
    Address address;
    Bytes size;
    /// Of the block pool concerned. PyTorch 2.11 keeps it, but does not export it.
    PoolId pool;
    friend constexpr bool operator==(const TraceEvent&, const TraceEvent&) = default;
    friend constexpr auto operator<=>(const TraceEvent&, const TraceEvent&) = default;
};

/// PyTorch's names of the kinds, in the order of `TraceEvent::Kind`.
inline constexpr std::array<std::string_view, 8> kTraceEventNames{"alloc",
                                                                  "free_requested",
                                                                  "free_completed",
                                                                  "segment_alloc",
                                                                  "segment_free",
                                                                  "segment_map",
                                                                  "segment_unmap",
                                                                  "oom"};

constexpr std::string_view name_of(TraceEvent::Kind kind) {
    return kTraceEventNames[static_cast<std::size_t>(kind)];
}

/// Takes trace events as they happen.
class TraceSink {
  public:
    virtual ~TraceSink() = default;
    virtual void take(const TraceEvent& event) = 0;
};

}  // namespace highwater
