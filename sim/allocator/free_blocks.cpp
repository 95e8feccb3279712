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
    const treap::Key key{size, Address{0}};
    const BlockId root = row_at(bin.row).roots[bin.column];
    const BlockId here = treap::first_not_before(blocks, root, key);
    return here != kNoBlock ? here : treap::first(blocks, root_after(bin));
}

BlockId FreeBlocks::root_after(Bin bin) const {
    const Row& row = row_at(bin.row);
    if (const std::uint64_t later = row.bins_in_use & bits_above(bin.column)) {
        return row.roots[lowest(later)];
    }
    return root_after_row(bin.row);
}

BlockId FreeBlocks::root_before(Bin bin) const {
    const Row& here = row_at(bin.row);
    if (const std::uint64_t earlier = here.bins_in_use & bits_below(bin.column)) {
        return here.roots[highest(earlier)];
    }
    std::uint64_t mask = bits_below(bin.row % kWord);
    for (std::uint32_t word = bin.row / kWord + 1; word-- > 0;) {
        if (const std::uint64_t rows = rows_in_use_[word] & mask) {
            const Row& row = row_at(word * kWord + highest(rows));
            return row.roots[highest(row.bins_in_use)];
        }
        mask = kAll;
    }
    return kNoBlock;
}

BlockId FreeBlocks::last(const BlockArena& blocks) const {
    // Nothing is in the very last bin: no size reaches it.
    return treap::last(blocks, root_before({kRows - 1, kBinsPerRow - 1}));
}

BlockId FreeBlocks::next(const BlockArena& blocks, BlockId id) const {
    const Bin bin = bin_of(blocks[id].size);
    const BlockId root = row_at(bin.row).roots[bin.column];
    const BlockId here = treap::first_after(blocks, root, treap::key_of(blocks, id));
    return here != kNoBlock ? here : treap::first(blocks, root_after(bin));
}

BlockId FreeBlocks::previous(const BlockArena& blocks, BlockId id) const {
    const Bin bin = bin_of(blocks[id].size);
    const BlockId root = row_at(bin.row).roots[bin.column];
    const BlockId here = treap::last_before(blocks, root, treap::key_of(blocks, id));
    return here != kNoBlock ? here : treap::last(blocks, root_before(bin));
}

}  // namespace highwater
