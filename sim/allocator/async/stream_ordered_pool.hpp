#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/allocator/async/address_range.hpp"
#include "sim/allocator/async/marked_size.hpp"
#include "sim/allocator/async/pool_profile.hpp"
#include "sim/allocator/async/stream_order.hpp"
#include "sim/core/address.hpp"

namespace highwater {

/// The driver's pool behind cudaMallocAsync and cudaFreeAsync (cudaMemPool_t): pages of device
/// memory at successive addresses, cut into blocks. A freed block remembers in which stream and at
/// which point that was. Sources: CUDA programming guide, stream-ordered memory allocator; what it
/// leaves open is as measured on an H200 (README).
class StreamOrderedPool {
  public:
    /// The ports outlive the pool.
    StreamOrderedPool(const PoolProfile& profile, DeviceMemory& device, StreamOrder& order);

    /// cudaMallocAsync outside captures. Where the device has too little memory for more pages, the
    /// stream may be made to wait for another's free; no value if that does not help either: the
    /// pages there were stay with the pool. `size` is not 0.
    std::optional<Address> malloc(Bytes size, StreamId stream);
    /// cudaFreeAsync of an address from `malloc`: the memory is free behind the stream's work.
    void free(Address address, StreamId stream);

    /// The host has synchronised with a stream, an event or the device: what is done is free for
    /// every stream, and free pages beyond the release threshold go back to the device.
    void synchronized();
    /// cudaMemPoolTrimTo: free pages go back as long as `keep` stays reserved.
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
        /// It was seen to be passed: every stream may have the block.
        bool is_done = false;
    };
    struct Block {
        Bytes size;
        /// What was asked for; no value for a free block.
        std::optional<Bytes> requested;
        /// Of a free block: where it was freed; no value if every stream may have it because it
        /// never was, or in several streams.
        std::optional<FreePoint> freed;

        bool is_open() const { return !requested && (!freed || freed->is_done); }
    };
    using Blocks = std::map<Address, Block>;

    bool is_ready(const Block& block, StreamId stream) const;
    template <typename Predicate>
    std::optional<Address> best_fit(Bytes size, Predicate is_usable) const;
    std::optional<Address> find_ready(Bytes size, StreamId stream) const;
    std::optional<Address> find_by_waiting(Bytes size, StreamId stream);
    std::optional<Address> grow(Bytes size, StreamId stream);
    Bytes map_pages(Address at, Bytes size);
    void keep_pages(Address at, Bytes size);
    void take(Address address, Bytes size, Bytes requested);
    void add_free(Address address, const Block& block);
    static bool can_merge(const Blocks::value_type& left, const Blocks::value_type& right);
    bool merge_with_next(Blocks::iterator at);
    static std::optional<FreePoint> merged_point(const Block& a, const Block& b);
    /// Notes the free points that are passed, and merges what that allows.
    void settle();
    void release_pages(Address block, Bytes at_most);

    PoolProfile profile_;
    DeviceMemory& device_;
    StreamOrder& order_;
    ReusePolicies policies_;
    Bytes release_threshold_;
    /// They tile the pages.
    Blocks blocks_;
    /// The free blocks.
    std::set<std::pair<Bytes, Address>> free_;
    AddressRange addresses_;
    MarkedSize used_;
    MarkedSize reserved_;
    std::uint64_t next_point_ = 0;
};

}  // namespace highwater
