#include "sim/allocator/segments.hpp"

#include "sim/allocator/expandable.hpp"
#include "sim/allocator/hand_out.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/rounding.hpp"

namespace highwater::allocator {
namespace {

bool over_limit(const State& s, Bytes segment) {
    return s.limit && (s.total_allocated > *s.limit || segment > *s.limit - s.total_allocated);
}

void count_device_allocation(State& s, BlockPoolId pool) {
    if (PrivatePool* owner = find_private_pool(s, block_pool(s, pool).owner)) {
        ++owner->device_allocations;
    }
}

BlockId allocate_segment(State& s, const Request& request, Bytes size) {
    const auto address = s.ports.device.allocate(size);
    if (!address) {
        return kNoBlock;
    }
    const PoolStreamId at = pool_stream_of(s, request.pool, request.stream);
    Block block;
    block.address = *address;
    block.size = size;
    block.pool_stream = at;
    const BlockId id = s.blocks.add(block);
    add_reserved(s, at, size);
    s.counters.increase(Counter::kSegment, block_pool(s, request.pool).kind, 1);
    if (is_oversize(s, size)) {
        increase(s.counters.oversize_segments, 1);
    }
    record(s, TraceEvent::Kind::kSegmentAlloc, at, *address, size);
    return id;
}

void refuse_piece(const Block& block) {
    if (block.is_split()) {
        throw PredictedError(PredictedError::Kind::kRuntimeError,
                             "PyTorch would cudaFree a piece of a split segment: max_split_size_mb "
                             "was lowered after larger blocks had been split",
                             "set max_split_size_mb before anything is allocated");
    }
}

}  // namespace

void refuse_uncounted(const PrivatePool* owner) {
    if (owner != nullptr && owner->device_allocations == 0) {
        throw PredictedError(PredictedError::Kind::kInternalAssert,
                             "the free space of a private pool on expandable segments is in more "
                             "pieces than the pool counted allocations: PyTorch stops with an "
                             "internal assert while giving it back",
                             "keep the pool, or turn expandable segments off");
    }
}

BlockId new_segment(State& s, const Request& request) {
    const Bytes size = segment_size(s.settings, request.size);
    if (over_limit(s, size)) {
        return kNoBlock;
    }
    const BlockId found = s.settings.expandable_segments ? grow_expandable_segment(s, request)
                                                         : allocate_segment(s, request, size);
    if (found != kNoBlock) {
        count_device_allocation(s, request.pool);
    }
    return found;
}

void free_segment(State& s, BlockId id) {
    const Block block = s.blocks[id];
    PoolStream& at = home(s, block);
    PrivatePool* owner = find_private_pool(s, block_pool(s, at.pool).owner);
    refuse_piece(block);
    refuse_uncounted(owner);
    // Captures may forbid it; then the block stays where it is. PyTorch counts the call all the
    // same, and its history calls the block freed; ours tells what is there.
    ++s.counters.num_device_free;
    s.ports.device.require_freeable();
    record(s, TraceEvent::Kind::kSegmentFree, block.pool_stream, block.address, block.size);
    s.ports.device.free(block.address, block.size);
    at.free.erase(s.blocks, id);
    if (owner != nullptr) {
        --owner->device_allocations;
    }
    s.counters.decrease(Counter::kSegment, at.kind, 1);
    if (is_oversize(s, block.size)) {
        decrease(s.counters.oversize_segments, 1);
    }
    subtract_reserved(s, block.pool_stream, block.size);
    s.blocks.drop(id);
}

}  // namespace highwater::allocator
