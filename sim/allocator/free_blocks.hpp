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
/// Every operation costs O(log n) at worst; O(1) but for inserts beside others of nearly the size.
class FreeBlocks {
  public:
    void insert(BlockArena& blocks, BlockId id) {
        bytes_ += blocks[id].size;
        const Bin bin = bin_of(blocks[id].size);
        if (row_place_[bin.row] == 0) [[unlikely]] {
            add_row(bin.row);
        }
        treap::Tree& tree = tree_of(bin);
        if (tree.root != kNoBlock) {
            treap::insert(blocks, tree, id);
            return;
        }
        treap::plant(blocks, tree, id);
        bins_in_use_[bin.row] |= bit(bin.column);
        rows_in_use_[bin.row / kWord] |= bit(bin.row % kWord);
    }

    void erase(BlockArena& blocks, BlockId id) {
        bytes_ -= blocks[id].size;
        const Bin bin = bin_of(blocks[id].size);
        treap::Tree& tree = tree_of(bin);
        if (!treap::is_alone(blocks, tree, id)) {
            treap::erase(blocks, tree, id);
            return;
        }
        tree = {};
        bins_in_use_[bin.row] &= ~bit(bin.column);
        if (bins_in_use_[bin.row] == 0) {
            rows_in_use_[bin.row / kWord] &= ~bit(bin.row % kWord);
        }
    }

    /// The first block in order at or after (size, address 0), or `kNoBlock`.
    BlockId first_at_least(const BlockArena& blocks, Bytes size) const {
        const Bin bin = bin_of(size);
        if (bin.row >= kExactRows) [[unlikely]] {
            return first_in_shared_bins(blocks, size);
        }
        if (const std::uint64_t in_use = bins_in_use_[bin.row] & (kAllOnes << bin.column)) {
            return tree_of({bin.row, lowest(in_use)}).first;
        }
        return first_after_row(bin.row);
    }

    /// The first block in order, or `kNoBlock`.
    BlockId first(const BlockArena& blocks) const { return first_at_least(blocks, Bytes{0}); }
    /// The last block in order, or `kNoBlock`.
    BlockId last(const BlockArena& blocks) const;
    /// The block after, and before, one that is in the set, or `kNoBlock`.
    BlockId next(const BlockArena& blocks, BlockId id) const;
    BlockId previous(const BlockArena& blocks, BlockId id) const;

    /// The sizes of all of them together.
    Bytes bytes() const { return bytes_; }

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
    using Row = std::array<treap::Tree, kBinsPerRow>;

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

    static std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
    static std::uint32_t lowest(std::uint64_t mask) {
        return static_cast<std::uint32_t>(std::countr_zero(mask));
    }

    treap::Tree& tree_of(Bin bin) { return rows_[row_place_[bin.row]][bin.column]; }
    const treap::Tree& tree_of(Bin bin) const { return rows_[row_place_[bin.row]][bin.column]; }

    // Out of line: a row is added once, and its code would keep `insert` from being inlined.
    [[gnu::noinline, gnu::cold]] void add_row(std::uint32_t row);

    /// The first block in the rows after this one, or `kNoBlock`.
    BlockId first_after_row(std::uint32_t row) const {
        std::uint64_t mask = row % kWord == kWord - 1 ? 0 : kAllOnes << (row % kWord + 1);
        for (std::uint32_t word = row / kWord; word < kRows / kWord; ++word) {
            if (const std::uint64_t rows = rows_in_use_[word] & mask) {
                const std::uint32_t found = word * kWord + lowest(rows);
                return tree_of({found, lowest(bins_in_use_[found])}).first;
            }
            mask = kAllOnes;
        }
        return kNoBlock;
    }

    BlockId first_in_shared_bins(const BlockArena& blocks, Bytes size) const;
    /// The first block in the bins after this one, and the last in those before, or `kNoBlock`.
    BlockId first_after(Bin bin) const;
    BlockId last_before(const BlockArena& blocks, Bin bin) const;

    Bytes bytes_;
    std::array<std::uint64_t, kRows / kWord> rows_in_use_{};
    std::array<std::uint64_t, kRows> bins_in_use_{};
    /// Row r of the bins is `rows_[row_place_[r]]`. Rows that never held a block share place 0,
    /// which stays empty.
    std::array<std::uint8_t, kRows> row_place_{};
    std::vector<Row> rows_{1};
};

}  // namespace highwater
