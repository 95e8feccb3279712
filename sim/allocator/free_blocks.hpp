#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/allocator/block.hpp"

namespace highwater {

/// The free blocks of one stream in one pool, ordered by (size, address).
///
/// Sizes are multiples of 512 B. Every size below 2 MiB has a bin of its own; above, 64 bins share
/// each power of two. A bin is a treap threaded through the blocks themselves, in the set's order,
/// so that nothing is allocated per block; bit masks lead from a size to the next bin in use.
/// Every operation costs O(log n) at worst and, with few blocks a bin, O(1).
class FreeBlocks {
  public:
    void insert(BlockArena& blocks, BlockId id);
    void erase(BlockArena& blocks, BlockId id);

    /// The first block in order at or after (size, address 0), or `kNoBlock`.
    BlockId first_at_least(const BlockArena& blocks, Bytes size) const;
    /// The first block in order, or `kNoBlock`.
    BlockId first(const BlockArena& blocks) const { return first_at_least(blocks, Bytes{0}); }
    /// The last block in order, or `kNoBlock`.
    BlockId last(const BlockArena& blocks) const;
    /// The block after, and before, one that is in the set, or `kNoBlock`.
    BlockId next(const BlockArena& blocks, BlockId id) const;
    BlockId previous(const BlockArena& blocks, BlockId id) const;

    bool empty() const { return rows_in_use_ == RowMask{}; }

  private:
    static constexpr std::size_t kBinsPerRow = 64;
    static constexpr std::size_t kRows = 128;
    using RowMask = std::array<std::uint64_t, kRows / 64>;

    struct Bin {
        std::uint32_t row;
        std::uint32_t column;
    };
    struct Row {
        std::uint64_t bins_in_use = 0;
        std::array<BlockId, kBinsPerRow> roots;
        Row() { roots.fill(kNoBlock); }
    };

    static Bin bin_of(Bytes size);
    const Row* row_at(std::uint32_t row) const;
    Row& make_row(std::uint32_t row);
    std::optional<Bin> bin_after(Bin bin) const;
    std::optional<Bin> bin_before(Bin bin) const;
    BlockId root_of(Bin bin) const;

    /// Row r of the bins is `rows_[row_place_[r] - 1]`; 0 marks a row that never held a block.
    std::array<std::uint8_t, kRows> row_place_{};
    RowMask rows_in_use_{};
    std::vector<Row> rows_;
};

}  // namespace highwater
