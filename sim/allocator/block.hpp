#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// A block by its place in the arena. The id of an allocated block stays valid until it is freed.
enum class BlockId : std::uint32_t {};
inline constexpr BlockId kNoBlock{UINT32_MAX};

/// What one stream holds of one block pool (see `PoolStream`), by its place in their table.
enum class PoolStreamId : std::uint32_t {};

/// The streams that `record_stream` named for one block; 0 is the empty set.
enum class UseSetId : std::uint32_t {};
inline constexpr UseSetId kNoUses{0};

/// An address range of an expandable segment, by its place in their table.
enum class ReservationId : std::uint32_t {};
inline constexpr ReservationId kNotExpandable{UINT32_MAX};

/// What an unmapped block that was there before the simulation served last: nobody recorded it.
inline constexpr Bytes kUnknownRequest{UINT64_MAX};

/// A piece of a segment. Exactly one of these holds of a block in the arena:
///   free:      not allocated, no uses, no events; in its pool's ordered set, or unmapped;
///   allocated: handed out;
///   pending:   given back by the user, but with events outstanding or parked.
/// Stream and pool never change: pieces of a split keep them. One cache line, because the
/// allocator's speed is the number of blocks it touches.
struct alignas(64) Block {
    Address address;
    Bytes size;
    /// The last request it served; 0 if it never served one, or `kUnknownRequest`.
    Bytes requested;
    /// Neighbours in the segment, by address.
    BlockId prev = kNoBlock;
    BlockId next = kNoBlock;
    /// Links of the ordered set of free blocks: what comes before, and after, below this one.
    BlockId parent = kNoBlock;
    std::array<BlockId, 2> children{kNoBlock, kNoBlock};
    PoolStreamId pool_stream{};
    ReservationId reservation = kNotExpandable;
    UseSetId uses = kNoUses;
    /// The pool's lookup count when the block last entered it, modulo 2^32.
    std::uint32_t gc_base = 0;
    /// At most one a stream.
    std::uint32_t event_count : 24 = 0;
    bool allocated : 1 = false;
    bool mapped : 1 = true;
    bool in_arena : 1 = false;

    // Not two comparisons joined: they would be read as one word, right after a half was written.
    bool is_split() const { return (index_of(prev) & index_of(next)) != index_of(kNoBlock); }
    bool is_expandable() const { return reservation != kNotExpandable; }
    bool is_pending() const { return !allocated && (event_count > 0 || uses != kNoUses); }
    bool is_active() const { return allocated || is_pending(); }
    Address end() const { return address + size; }
};
static_assert(sizeof(Block) == 64);

/// All blocks of an allocator. Places of dropped blocks are used again, newest first.
class BlockArena {
  public:
    Block& operator[](BlockId id) { return blocks_[index_of(id)]; }
    const Block& operator[](BlockId id) const { return blocks_[index_of(id)]; }

    BlockId add(const Block& block) {
        const BlockId id = take_place();
        (*this)[id] = block;
        (*this)[id].in_arena = true;
        return id;
    }

    /// A free block of the same pool and stream that served the same request. Its address, size and
    /// neighbours are still to be set. Field by field: a copy of a line just written to stalls, and
    /// a vacant place is free of uses and events already.
    BlockId add_like(BlockId model_id) {
        const BlockId id = take_place();
        const Block& model = (*this)[model_id];
        Block& block = (*this)[id];
        block.requested = model.requested;
        block.pool_stream = model.pool_stream;
        block.reservation = model.reservation;
        block.mapped = model.mapped;
        block.in_arena = true;
        return id;
    }

    /// The block is free.
    void drop(BlockId id) {
        (*this)[id].in_arena = false;
        (*this)[id].next = vacant_;
        vacant_ = id;
    }

    /// Places, used or vacant: ids run from 0 up to it.
    std::size_t places() const { return blocks_.size(); }

  private:
    BlockId take_place() {
        if (vacant_ == kNoBlock) [[unlikely]] {
            add_place();
        }
        return std::exchange(vacant_, (*this)[vacant_].next);
    }

    // Out of line: growing is rare, and its code would keep `add` from being inlined.
    [[gnu::noinline, gnu::cold]] void add_place() {
        check(blocks_.size() < index_of(kNoBlock), "an allocator has fewer than 2^32 - 1 blocks");
        blocks_.emplace_back();
        vacant_ = BlockId{static_cast<std::uint32_t>(blocks_.size() - 1)};
    }

    std::vector<Block> blocks_;
    BlockId vacant_ = kNoBlock;
};

}  // namespace highwater
