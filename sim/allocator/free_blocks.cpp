#include "sim/allocator/free_blocks.hpp"

namespace highwater {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

constexpr std::uint32_t kTopBit = 63;

std::uint64_t bits_above(std::uint32_t bit) {
    return bit == kTopBit ? 0 : kAll << (bit + 1);
}
std::uint64_t bits_below(std::uint32_t bit) {
    return (std::uint64_t{1} << bit) - 1;
}
std::uint32_t highest(std::uint64_t mask) {
    return kTopBit - static_cast<std::uint32_t>(std::countl_zero(mask));
}

}  // namespace

void FreeBlocks::add_row(std::uint32_t row) {
    row_place_[row] = static_cast<std::uint8_t>(rows_.size());
    rows_.emplace_back();
}

BlockId FreeBlocks::first_in_shared_bins(const BlockArena& blocks, Bytes size) const {
    const Bin bin = bin_of(size);
    const BlockId here = treap::first_not_before(blocks, tree_of(bin), {size, Address{0}});
    return here != kNoBlock ? here : first_after(bin);
}

BlockId FreeBlocks::first_after(Bin bin) const {
    if (const std::uint64_t later = bins_in_use_[bin.row] & bits_above(bin.column)) {
        return tree_of({bin.row, lowest(later)}).first;
    }
    return first_after_row(bin.row);
}

BlockId FreeBlocks::last_before(const BlockArena& blocks, Bin bin) const {
    const auto last_of = [this, &blocks](std::uint32_t row, std::uint64_t bins) {
        return treap::outermost(blocks, tree_of({row, highest(bins)}).root, treap::kAfter);
    };
    if (const std::uint64_t earlier = bins_in_use_[bin.row] & bits_below(bin.column)) {
        return last_of(bin.row, earlier);
    }
    std::uint64_t mask = bits_below(bin.row % kWord);
    for (std::uint32_t word = bin.row / kWord + 1; word-- > 0;) {
        if (const std::uint64_t rows = rows_in_use_[word] & mask) {
            const std::uint32_t row = word * kWord + highest(rows);
            return last_of(row, bins_in_use_[row]);
        }
        mask = kAll;
    }
    return kNoBlock;
}

BlockId FreeBlocks::last(const BlockArena& blocks) const {
    // Nothing is in the very last bin: no size reaches it.
    return last_before(blocks, {kRows - 1, kBinsPerRow - 1});
}

BlockId FreeBlocks::next(const BlockArena& blocks, BlockId id) const {
    const BlockId here = treap::neighbour(blocks, id, treap::kAfter);
    return here != kNoBlock ? here : first_after(bin_of(blocks[id].size));
}

BlockId FreeBlocks::previous(const BlockArena& blocks, BlockId id) const {
    const BlockId here = treap::neighbour(blocks, id, treap::kBefore);
    return here != kNoBlock ? here : last_before(blocks, bin_of(blocks[id].size));
}

}  // namespace highwater
