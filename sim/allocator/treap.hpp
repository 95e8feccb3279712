#pragma once

#include <compare>

#include "sim/allocator/block.hpp"

/// A treap threaded through `Block::left` and `Block::right`, ordered by (size, address). Heap
/// priorities are mixed from block ids, so its shape is a function of its content: no state, no
/// luck. An empty tree is the root `kNoBlock`.
namespace highwater::treap {

/// The order of free blocks within one stream of one pool.
struct Key {
    Bytes size;
    Address address;
    friend constexpr auto operator<=>(const Key&, const Key&) = default;
};

inline Key key_of(const BlockArena& blocks, BlockId id) {
    return {blocks[id].size, blocks[id].address};
}

/// The block is not in the tree, and no block in it has the same key.
void insert(BlockArena& blocks, BlockId& root, BlockId id);
/// The block is in the tree.
void erase(BlockArena& blocks, BlockId& root, BlockId id);

inline BlockId first(const BlockArena& blocks, BlockId root) {
    BlockId found = kNoBlock;
    for (; root != kNoBlock; root = blocks[root].left) {
        found = root;
    }
    return found;
}
BlockId last(const BlockArena& blocks, BlockId root);
BlockId first_not_before(const BlockArena& blocks, BlockId root, Key key);
BlockId first_after(const BlockArena& blocks, BlockId root, Key key);
BlockId last_before(const BlockArena& blocks, BlockId root, Key key);

}  // namespace highwater::treap
