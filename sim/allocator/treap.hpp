#pragma once

#include <compare>

#include "sim/allocator/block.hpp"

/// Treaps threaded through `Block::parent` and `Block::children`, ordered by (size, address). Heap
/// priorities are mixed from block ids, so a treap's shape is a function of its content: no state,
/// no luck.
namespace highwater::treap {

/// The order of free blocks within one stream of one pool.
struct Key {
    Bytes size;
    Address address;
    friend constexpr bool operator==(const Key&, const Key&) = default;
    /// Free of branches: which way a search turns cannot be predicted.
    friend constexpr bool operator<(const Key& a, const Key& b) {
        return (static_cast<unsigned>(a.size < b.size) |
                (static_cast<unsigned>(a.size == b.size) &
                 static_cast<unsigned>(a.address < b.address))) != 0;
    }
};

inline Key key_of(const BlockArena& blocks, BlockId id) {
    return {blocks[id].size, blocks[id].address};
}

/// A side of a block, as an index into `Block::children`.
enum Side : std::size_t { kBefore, kAfter };

/// Both are `kNoBlock` if it is empty. The first block is kept because mallocs take it.
struct Tree {
    BlockId root = kNoBlock;
    BlockId first = kNoBlock;
};

/// Makes an empty tree one of a single block.
inline void plant(BlockArena& blocks, Tree& tree, BlockId id) {
    tree = {id, id};
    blocks[id].parent = kNoBlock;
    blocks[id].children = {kNoBlock, kNoBlock};
}

inline bool is_alone(const BlockArena& blocks, const Tree& tree, BlockId id) {
    const Block& block = blocks[id];
    return tree.root == id && block.children[kBefore] == kNoBlock &&
           block.children[kAfter] == kNoBlock;
}

/// The tree is not empty, the block is not in it, and no block in it has the same key.
[[gnu::noinline]] void insert(BlockArena& blocks, Tree& tree, BlockId id);
/// The block is in the tree.
[[gnu::noinline]] void erase(BlockArena& blocks, Tree& tree, BlockId id);

/// The block at that end of the tree, or `kNoBlock`.
BlockId outermost(const BlockArena& blocks, BlockId root, Side side);
/// The block that follows on that side in the block's tree, or `kNoBlock`.
BlockId neighbour(const BlockArena& blocks, BlockId id, Side side);
BlockId first_not_before(const BlockArena& blocks, const Tree& tree, Key key);

}  // namespace highwater::treap
