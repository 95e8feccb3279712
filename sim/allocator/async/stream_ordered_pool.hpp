#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/allocator/async/marked_size.hpp"
#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/core/address.hpp"

namespace highwater {

/// The driver's pool behind cudaMallocAsync and cudaFreeAsync (cudaMemPool_t): segments of device
/// memory, cut into blocks. A freed block remembers in which stream and at which point that was.
/// Sources: CUDA runtime API on pool attributes; how blocks are chosen is not documented and is
/// what measurements of PyTorch's auxiliary-stream demo admit (README).
class StreamOrderedPool {
  public:
    /// The ports outlive the pool.
    StreamOrderedPool(const PoolProfile& profile, DeviceMemory& device, StreamOrder& order);

    /// cudaMallocAsync outside captures: no value if the device has no memory for a new segment.
    /// May make the stream wait for another's free. `size` is not 0.
    std::optional<Address> malloc(Bytes size, StreamId stream);
    /// cudaFreeAsync of an address from `malloc`: the memory is free behind the stream's work.
    void free(Address address, StreamId stream);

    /// The host has synchronised with a stream, an event or the device: what is done is free for
    /// every stream, and unused segments beyond the release threshold go back to the device.
    void synchronized();
    /// cudaMemPoolTrimTo: unused segments go back while more than `keep` is reserved.
    void trim_to(Bytes keep);

    /// cudaMemPoolAttrReleaseThreshold; 0 at first.
    void set_release_threshold(Bytes threshold) { release_threshold_ = threshold; }
    void set_policies(const ReusePolicies& policies) { policies_ = policies; }

    /// cudaMemPoolAttrUsedMem*: bytes asked for, not rounded.
    const MarkedSize& used() const { return used_; }
    /// cudaMemPoolAttrReservedMem*.
    const MarkedSize& reserved() const { return reserved_; }
    /// Sets both high-water marks to what there is now.
    void reset_high_water_marks();

  private:
    struct FreePoint {
        StreamId stream{};
        EventId event{};
        /// Counts the frees of the pool.
        std::uint64_t number = 0;
    };
    struct Block {
        Bytes size;
        /// The beginning of its segment.
        Address segment;
        /// What was asked for; no value for a free block.
        std::optional<Bytes> requested;
        /// Of a free block: where it was freed; no value if every stream may have it.
        std::optional<FreePoint> freed;
    };
    using Blocks = std::map<Address, Block>;

    bool is_ready(const Block& block, StreamId stream) const;
    template <typename Predicate>
    std::optional<Address> best_fit(Bytes size, Predicate is_usable) const;
    std::optional<Address> find_ready(Bytes size, StreamId stream) const;
    std::optional<Address> find_by_waiting(Bytes size, StreamId stream);
    std::optional<Address> grow(Bytes size);
    void take(Address address, Bytes size, Bytes requested);
    static bool can_merge(const Block& a, const Block& b);
    static std::optional<FreePoint> later(const std::optional<FreePoint>& a,
                                          const std::optional<FreePoint>& b);
    bool merge_with_next(Blocks::iterator at);
    /// Forgets the free points that are passed, and merges what that allows.
    void settle();
    bool is_unused(Address segment, Bytes size) const;
    void give_back(Address segment, Bytes size);

    PoolProfile profile_;
    DeviceMemory& device_;
    StreamOrder& order_;
    ReusePolicies policies_;
    Bytes release_threshold_;
    /// Sizes of the segments, by beginning.
    std::map<Address, Bytes> segments_;
    /// They tile the segments.
    Blocks blocks_;
    /// The free blocks.
    std::set<std::pair<Bytes, Address>> free_;
    MarkedSize used_;
    MarkedSize reserved_;
    std::uint64_t next_point_ = 0;
};

}  // namespace highwater
