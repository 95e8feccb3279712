#include "sim/allocator/stranded.hpp"

#include <algorithm>
#include <tuple>

#include "sim/allocator/expandable.hpp"
#include "sim/allocator/merge.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/rounding.hpp"

namespace highwater::allocator {
namespace {

using Reason = StrandedReason;

Bytes unallocated(const PoolStream& at) {
    return at.free.bytes() + at.waiting + at.parked;
}

// The default pools, or a private pool's two, are made together.
BlockPoolId of_other_kind(BlockPoolId pool) {
    return BlockPoolId{static_cast<std::uint32_t>(pool) ^ 1U};
}

Bytes unallocated(const State& s, BlockPoolId pool) {
    Bytes sum;
    for (const PoolStreamId id : block_pool(s, pool).of_stream) {
        sum += id == kNoPoolStream ? Bytes{} : unallocated(pool_stream(s, id));
    }
    return sum;
}

Bytes unallocated(const State& s, BlockPoolId pool, StreamId stream) {
    const PoolStreamId id = find_pool_stream(s, pool, stream);
    return id == kNoPoolStream ? Bytes{} : unallocated(pool_stream(s, id));
}

Bytes unallocated(const State& s) {
    const MemoryStats stats = s.counters.stats();
    return Bytes{stats.reserved_bytes.all.current - stats.allocated_bytes.all.current};
}

// What malloc would come by for one request: the search, and growth after that.
class Search {
  public:
    /// Both outlive it.
    Search(const State& s, const Request& request) : s_(s), request_(request) {
        const PoolStreamId id = find_pool_stream(s, request.pool, request.stream);
        if (id == kNoPoolStream) {
            return;
        }
        at_ = &pool_stream(s, id);
        finds_ = find_cached_block(s, request) != kNoBlock;
        if (!finds_ && s.settings.expandable_segments) {
            note_run(find_growing_run(s, *at_, request.size));
        }
    }

    /// Null if the stream has nothing of the pool.
    const PoolStream* at() const { return at_; }

    std::optional<Reason> reason(BlockId id) const {
        const Block& block = s_.blocks[id];
        const PoolStream& of = home(s_, block);
        if (&of != at_) {
            return reason_of_other(of);
        }
        if (block.is_pending()) {
            return block.event_count > 0 ? Reason::kWaitingForEvents : Reason::kParked;
        }
        return reason_of_free(id);
    }

    /// Of a block that is free, in the request's own pool and of its stream.
    std::optional<Reason> reason_of_free(BlockId id) const {
        const Block& block = s_.blocks[id];
        if (is_in_run(block)) {
            return Reason::kGrows;
        }
        if (block.size < request_.size) {
            return Reason::kTooSmall;
        }
        if (block.is_expandable() && !s_.settings.expandable_segments) {
            return Reason::kExpandableOff;
        }
        // The search looks at one block only: what it refuses is the end of it.
        if (!finds_ || refused(s_, request_.size, block.size)) {
            return Reason::kMaxSplitSize;
        }
        return std::nullopt;
    }

    /// Its mapped blocks.
    const std::vector<BlockId>& run() const { return run_; }

  private:
    bool is_in_run(const Block& block) const {
        return !run_.empty() && block.address >= s_.blocks[run_.front()].address &&
               block.address <= s_.blocks[run_.back()].address;
    }

    Reason reason_of_other(const PoolStream& of) const {
        const BlockPool& theirs = block_pool(s_, of.pool);
        const BlockPool& ours = block_pool(s_, request_.pool);
        if (theirs.usage != ours.usage) {
            return Reason::kOtherPool;
        }
        return of.stream != request_.stream ? Reason::kOtherStream : Reason::kSmallLarge;
    }

    void note_run(BlockId from) {
        Bytes offered;
        for (BlockId b = from; b != kNoBlock && offered < request_.size; b = s_.blocks[b].next) {
            offered += s_.blocks[b].size;
            if (s_.blocks[b].mapped) {
                run_.push_back(b);
            }
        }
    }

    const State& s_;
    const Request& request_;
    const PoolStream* at_ = nullptr;
    bool finds_ = false;
    std::vector<BlockId> run_;
};

void add(StrandedBytes& to, std::optional<Reason> reason, Bytes bytes) {
    (reason ? to[*reason] : to.usable) += bytes;
}

// Blocks below the request's size are too small, but for those in the run: they need no look.
void add_free(StrandedBytes& to, const State& s, const Search& search, Bytes size) {
    const FreeBlocks& free = search.at()->free;
    Bytes rest = free.bytes();
    const auto judge = [&](BlockId id) {
        add(to, search.reason_of_free(id), s.blocks[id].size);
        rest -= s.blocks[id].size;
    };
    for (BlockId b = free.first_at_least(s.blocks, size); b != kNoBlock;
         b = free.next(s.blocks, b)) {
        judge(b);
    }
    for (const BlockId b : search.run()) {
        if (s.blocks[b].size < size) {
            judge(b);
        }
    }
    to[Reason::kTooSmall] += rest;
}

PoolStreamBytes bytes_of(const State& s, PoolStreamId id) {
    const PoolStream& at = pool_stream(s, id);
    const BlockPool& pool = block_pool(s, at.pool);
    return {.pool = pool.owner,
            .kind = pool.kind,
            .stream = at.stream,
            .reserved = unallocated(at),
            .allocated = {},
            .free = at.free.bytes(),
            .waiting = at.waiting,
            .parked = at.parked};
}

}  // namespace

std::optional<Request> request_in(const State& s, Bytes requested, StreamId stream, PoolId owner) {
    const Bytes size = round_size(s.settings, requested);
    const bool small = uses_small_pool(size);
    if (owner == kDefaultPoolId) {
        return Request{requested, size, stream, small ? kDefaultSmallPool : kDefaultLargePool};
    }
    const PrivatePool* pool = find_private_pool(s, owner);
    if (pool == nullptr) {
        return std::nullopt;
    }
    return Request{requested, size, stream, small ? pool->small : pool->large};
}

StrandedBytes stranded(const State& s, const Request& request) {
    const Search search(s, request);
    const BlockPoolId other_kind = of_other_kind(request.pool);
    const Bytes own = unallocated(s, request.pool) + unallocated(s, other_kind);
    StrandedBytes result;
    result[Reason::kOtherPool] = unallocated(s) - own;
    result[Reason::kSmallLarge] = unallocated(s, other_kind, request.stream);
    result[Reason::kOtherStream] =
        own - result[Reason::kSmallLarge] - unallocated(s, request.pool, request.stream);
    if (const PoolStream* at = search.at()) {
        result[Reason::kWaitingForEvents] = at->waiting;
        result[Reason::kParked] = at->parked;
        add_free(result, s, search, request.size);
    }
    return result;
}

Bytes not_allocated(const State& s, PoolId owner, StreamId stream) {
    if (owner == kDefaultPoolId) {
        return unallocated(s, kDefaultSmallPool, stream) +
               unallocated(s, kDefaultLargePool, stream);
    }
    const PrivatePool* pool = find_private_pool(s, owner);
    return pool == nullptr
               ? Bytes{}
               : unallocated(s, pool->small, stream) + unallocated(s, pool->large, stream);
}

std::vector<Verdict> verdicts(const State& s, const Request& request) {
    const Search search(s, request);
    std::vector<Verdict> result;
    for (std::uint32_t i = 0; i < s.blocks.places(); ++i) {
        const BlockId id{i};
        const Block& block = s.blocks[id];
        if (block.in_arena && block.mapped && !block.allocated) {
            result.push_back({id, search.reason(id)});
        }
    }
    std::ranges::sort(result, {}, [&s](const Verdict& v) { return s.blocks[v.block].address; });
    return result;
}

std::vector<PoolStreamBytes> bytes_by_pool_stream(const State& s) {
    std::vector<PoolStreamBytes> all;
    for (std::uint32_t i = 0; i < s.pool_streams.size(); ++i) {
        all.push_back(bytes_of(s, PoolStreamId{i}));
    }
    for (std::uint32_t i = 0; i < s.blocks.places(); ++i) {
        const Block& block = s.blocks[BlockId{i}];
        if (block.in_arena && block.allocated) {
            all[static_cast<std::size_t>(block.pool_stream)].allocated += block.size;
            all[static_cast<std::size_t>(block.pool_stream)].reserved += block.size;
        }
    }
    std::erase_if(all, [](const PoolStreamBytes& row) { return row.reserved == Bytes{0}; });
    std::ranges::stable_sort(all, {}, [](const PoolStreamBytes& row) {
        return std::tuple(row.pool, row.kind, row.stream);
    });
    return all;
}

}  // namespace highwater::allocator
