#include "sim/allocator/free_blocks.hpp"

#include <bit>

#include "sim/allocator/treap.hpp"

namespace highwater {
namespace {

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr unsigned kUnitBits = 9;    // sizes come in units of kMinBlockSize = 512 B
constexpr unsigned kExactBits = 12;  // below 2^12 units = 2 MiB every size has its own bin
constexpr unsigned kColumnBits = 6;  // 64 bins a row
constexpr std::uint32_t kExactRows = 1U << (kExactBits - kColumnBits);

std::uint64_t bits_above(std::uint32_t bit) {
    return bit == 63 ? 0 : kAllOnes << (bit + 1);
}
std::uint64_t bits_below(std::uint32_t bit) {
    return (std::uint64_t{1} << bit) - 1;
}
std::uint32_t lowest(std::uint64_t mask) {
    return static_cast<std::uint32_t>(std::countr_zero(mask));
}
std::uint32_t highest(std::uint64_t mask) {
    return 63U - static_cast<std::uint32_t>(std::countl_zero(mask));
}

}  // namespace

FreeBlocks::Bin FreeBlocks::bin_of(Bytes size) {
    const std::uint64_t units = size.count >> kUnitBits;
    if (units < (1U << kExactBits)) {
        return {static_cast<std::uint32_t>(units >> kColumnBits),
                static_cast<std::uint32_t>(units % kBinsPerRow)};
    }
    const auto exponent = static_cast<unsigned>(std::bit_width(units)) - 1;
    return {kExactRows + exponent - kExactBits,
            static_cast<std::uint32_t>((units >> (exponent - kColumnBits)) % kBinsPerRow)};
}

const FreeBlocks::Row* FreeBlocks::row_at(std::uint32_t row) const {
    return row_place_[row] == 0 ? nullptr : &rows_[row_place_[row] - 1U];
}

FreeBlocks::Row& FreeBlocks::make_row(std::uint32_t row) {
    if (row_place_[row] == 0) {
        rows_.emplace_back();
        row_place_[row] = static_cast<std::uint8_t>(rows_.size());
    }
    return rows_[row_place_[row] - 1U];
}

BlockId FreeBlocks::root_of(Bin bin) const {
    const Row* row = row_at(bin.row);
    return row == nullptr ? kNoBlock : row->roots[bin.column];
}

std::optional<FreeBlocks::Bin> FreeBlocks::bin_after(Bin bin) const {
    if (const Row* row = row_at(bin.row)) {
        if (const std::uint64_t later = row->bins_in_use & bits_above(bin.column)) {
            return Bin{bin.row, lowest(later)};
        }
    }
    std::uint64_t mask_above = bits_above(bin.row % 64);
    for (std::uint32_t word = bin.row / 64; word < rows_in_use_.size(); ++word) {
        if (const std::uint64_t rows = rows_in_use_[word] & mask_above) {
            const std::uint32_t row = word * 64 + lowest(rows);
            return Bin{row, lowest(row_at(row)->bins_in_use)};
        }
        mask_above = kAllOnes;
    }
    return std::nullopt;
}

std::optional<FreeBlocks::Bin> FreeBlocks::bin_before(Bin bin) const {
    if (const Row* row = row_at(bin.row)) {
        if (const std::uint64_t earlier = row->bins_in_use & bits_below(bin.column)) {
            return Bin{bin.row, highest(earlier)};
        }
    }
    std::uint64_t mask_below = bits_below(bin.row % 64);
    for (std::uint32_t word = bin.row / 64 + 1; word-- > 0;) {
        if (const std::uint64_t rows = rows_in_use_[word] & mask_below) {
            const std::uint32_t row = word * 64 + highest(rows);
            return Bin{row, highest(row_at(row)->bins_in_use)};
        }
        mask_below = kAllOnes;
    }
    return std::nullopt;
}

void FreeBlocks::insert(BlockArena& blocks, BlockId id) {
    const Bin bin = bin_of(blocks[id].size);
    Row& row = make_row(bin.row);
    treap::insert(blocks, row.roots[bin.column], id);
    row.bins_in_use |= std::uint64_t{1} << bin.column;
    rows_in_use_[bin.row / 64] |= std::uint64_t{1} << (bin.row % 64);
}

void FreeBlocks::erase(BlockArena& blocks, BlockId id) {
    const Bin bin = bin_of(blocks[id].size);
    Row& row = rows_[row_place_[bin.row] - 1U];
    treap::erase(blocks, row.roots[bin.column], id);
    if (row.roots[bin.column] != kNoBlock) {
        return;
    }
    row.bins_in_use &= ~(std::uint64_t{1} << bin.column);
    if (row.bins_in_use == 0) {
        rows_in_use_[bin.row / 64] &= ~(std::uint64_t{1} << (bin.row % 64));
    }
}

BlockId FreeBlocks::first_at_least(const BlockArena& blocks, Bytes size) const {
    const Bin bin = bin_of(size);
    const BlockId here = treap::first_not_before(blocks, root_of(bin), {size, Address{0}});
    if (here != kNoBlock) {
        return here;
    }
    const auto later = bin_after(bin);
    return later ? treap::first(blocks, root_of(*later)) : kNoBlock;
}

BlockId FreeBlocks::last(const BlockArena& blocks) const {
    const auto bin = bin_before({kRows - 1, kBinsPerRow - 1});
    return bin ? treap::last(blocks, root_of(*bin)) : kNoBlock;
}

BlockId FreeBlocks::next(const BlockArena& blocks, BlockId id) const {
    const Bin bin = bin_of(blocks[id].size);
    const BlockId here = treap::first_after(blocks, root_of(bin), treap::key_of(blocks, id));
    if (here != kNoBlock) {
        return here;
    }
    const auto later = bin_after(bin);
    return later ? treap::first(blocks, root_of(*later)) : kNoBlock;
}

BlockId FreeBlocks::previous(const BlockArena& blocks, BlockId id) const {
    const Bin bin = bin_of(blocks[id].size);
    const BlockId here = treap::last_before(blocks, root_of(bin), treap::key_of(blocks, id));
    if (here != kNoBlock) {
        return here;
    }
    const auto earlier = bin_before(bin);
    return earlier ? treap::last(blocks, root_of(*earlier)) : kNoBlock;
}

}  // namespace highwater
