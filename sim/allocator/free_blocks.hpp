#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/allocator/block.hpp"
#include "sim/allocator/treap.hpp"

namespace highwater {

/// The free blocks of one stream in one pool, ordered by (size, address).
///
/// Sizes are multiples of 512 B. Every size below 2 MiB has a bin of its own; above, 64 bins share
/// each power of two. A bin is a treap threaded through the blocks themselves, in the set's order,
/// so that nothing is allocated per block; bit masks lead from a size to the next bin in use.
/// Every operation costs O(log n) at worst and, with few blocks a bin, O(1): the common case, a bin
/// of one block, is kept inline.
class FreeBlocks {
  public:
    void insert(BlockArena& blocks, BlockId id) {
        const Bin bin = bin_of(blocks[id].size);
        Row& row = make_row(bin.row);
        BlockId& root = row.roots[bin.column];
        if (root != kNoBlock) {
            treap::insert(blocks, root, id);
            return;
        }
        root = id;
        blocks[id].left = kNoBlock;
        blocks[id].right = kNoBlock;
        row.bins_in_use |= std::uint64_t{1} << bin.column;
        rows_in_use_[bin.row / kWord] |= std::uint64_t{1} << (bin.row % kWord);
    }

    void erase(BlockArena& blocks, BlockId id) {
        const Bin bin = bin_of(blocks[id].size);
        Row& row = rows_[row_place_[bin.row]];
        BlockId& root = row.roots[bin.column];
        const Block& block = blocks[id];
        if (root != id || block.left != kNoBlock || block.right != kNoBlock) {
            treap::erase(blocks, root, id);
            return;
        }
        root = kNoBlock;
        row.bins_in_use &= ~(std::uint64_t{1} << bin.column);
        if (row.bins_in_use == 0) {
            rows_in_use_[bin.row / kWord] &= ~(std::uint64_t{1} << (bin.row % kWord));
        }
    }

    /// The first block in order at or after (size, address 0), or `kNoBlock`.
    BlockId first_at_least(const BlockArena& blocks, Bytes size) const {
        const Bin bin = bin_of(size);
        if (bin.row >= kExactRows) [[unlikely]] {
            return first_in_shared_bins(blocks, size);
        }
        const Row& row = row_at(bin.row);
        if (const auto in_use = row.bins_in_use & (kAllOnes << bin.column)) {
            return treap::first(blocks, row.roots[lowest(in_use)]);
        }
        return treap::first(blocks, root_after_row(bin.row));
    }

    /// The first block in order, or `kNoBlock`.
    BlockId first(const BlockArena& blocks) const { return first_at_least(blocks, Bytes{0}); }
    /// The last block in order, or `kNoBlock`.
    BlockId last(const BlockArena& blocks) const;
    /// The block after, and before, one that is in the set, or `kNoBlock`.
    BlockId next(const BlockArena& blocks, BlockId id) const;
    BlockId previous(const BlockArena& blocks, BlockId id) const;

  private:
    static constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
    static constexpr unsigned kUnitBits = 9;    // sizes come in units of kMinBlockSize = 512 B
    static constexpr unsigned kExactBits = 12;  // below 2^12 units = 2 MiB bins are exact
    static constexpr unsigned kColumnBits = 6;
    static constexpr std::size_t kBinsPerRow = std::size_t{1} << kColumnBits;
    static constexpr std::uint32_t kExactRows = 1U << (kExactBits - kColumnBits);
    /// Enough for every 64-bit size.
    static constexpr std::uint32_t kRows = 128;
    static constexpr std::uint32_t kWord = 64;

    struct Bin {
        std::uint32_t row;
        std::uint32_t column;
    };
    struct Row {
        std::uint64_t bins_in_use = 0;
        std::array<BlockId, kBinsPerRow> roots;
        Row() { roots.fill(kNoBlock); }
    };

    static Bin bin_of(Bytes size) {
        const std::uint64_t units = size.count >> kUnitBits;
        if (units < (1U << kExactBits)) [[likely]] {
            return {static_cast<std::uint32_t>(units >> kColumnBits),
                    static_cast<std::uint32_t>(units % kBinsPerRow)};
        }
        const auto exponent = static_cast<unsigned>(std::bit_width(units)) - 1;
        return {kExactRows + exponent - kExactBits,
                static_cast<std::uint32_t>((units >> (exponent - kColumnBits)) % kBinsPerRow)};
    }

    static std::uint32_t lowest(std::uint64_t mask) {
        return static_cast<std::uint32_t>(std::countr_zero(mask));
    }

    const Row& row_at(std::uint32_t row) const { return rows_[row_place_[row]]; }

    Row& make_row(std::uint32_t row) {
        if (row_place_[row] == 0) [[unlikely]] {
            add_row(row);
        }
        return rows_[row_place_[row]];
    }
    void add_row(std::uint32_t row);

    /// The root of the first bin in use in the rows after this one, or `kNoBlock`.
    BlockId root_after_row(std::uint32_t row) const {
        std::uint64_t mask = row % kWord == kWord - 1 ? 0 : kAllOnes << (row % kWord + 1);
        for (std::uint32_t word = row / kWord; word < kRows / kWord; ++word) {
            if (const std::uint64_t rows = rows_in_use_[word] & mask) {
                const Row& found = row_at(word * kWord + lowest(rows));
                return found.roots[lowest(found.bins_in_use)];
            }
            mask = kAllOnes;
        }
        return kNoBlock;
    }

    BlockId first_in_shared_bins(const BlockArena& blocks, Bytes size) const;
    /// The roots of the nearest bins in use, or `kNoBlock`.
    BlockId root_after(Bin bin) const;
    BlockId root_before(Bin bin) const;

    /// Row r of the bins is `rows_[row_place_[r]]`. Rows that never held a block share place 0,
    /// which stays empty.
    std::array<std::uint8_t, kRows> row_place_{};
    std::array<std::uint64_t, kRows / kWord> rows_in_use_{};
    std::vector<Row> rows_{1};
};

}  // namespace highwater
