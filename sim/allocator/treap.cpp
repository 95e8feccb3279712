#include "sim/allocator/treap.hpp"

namespace highwater::treap {
namespace {

// A fixed mixing of the id (the multiplier is 2^32 over the golden ratio, made odd).
std::uint32_t priority(BlockId id) {
    constexpr std::uint32_t kMultiplier = 0x9E3779B1U;
    constexpr unsigned kHalf = 16;
    std::uint32_t x = static_cast<std::uint32_t>(id) * kMultiplier;
    x ^= x >> kHalf;
    return x * kMultiplier;
}

bool above(BlockId a, BlockId b) {
    return priority(a) > priority(b);
}

// Parts the tree under `root` into the blocks before `key` and those after it.
void split(BlockArena& blocks, BlockId root, Key key, BlockId& before, BlockId& after) {
    BlockId* before_link = &before;
    BlockId* after_link = &after;
    while (root != kNoBlock) {
        if (key_of(blocks, root) < key) {
            *before_link = root;
            before_link = &blocks[root].right;
            root = *before_link;
        } else {
            *after_link = root;
            after_link = &blocks[root].left;
            root = *after_link;
        }
    }
    *before_link = kNoBlock;
    *after_link = kNoBlock;
}

// Joins two trees, all of `before` in order ahead of all of `after`, under one link.
void join(BlockArena& blocks, BlockId before, BlockId after, BlockId& root) {
    BlockId* link = &root;
    while (before != kNoBlock && after != kNoBlock) {
        if (above(before, after)) {
            *link = before;
            link = &blocks[before].right;
            before = *link;
        } else {
            *link = after;
            link = &blocks[after].left;
            after = *link;
        }
    }
    *link = before != kNoBlock ? before : after;
}

}  // namespace

void insert(BlockArena& blocks, BlockId& root, BlockId id) {
    const Key key = key_of(blocks, id);
    BlockId* link = &root;
    while (*link != kNoBlock && above(*link, id)) {
        Block& here = blocks[*link];
        link = key < Key{here.size, here.address} ? &here.left : &here.right;
    }
    const BlockId rest = *link;
    *link = id;
    split(blocks, rest, key, blocks[id].left, blocks[id].right);
}

void erase(BlockArena& blocks, BlockId& root, BlockId id) {
    const Key key = key_of(blocks, id);
    BlockId* link = &root;
    while (*link != id) {
        check(*link != kNoBlock, "a block taken out of the free blocks is among them");
        Block& here = blocks[*link];
        link = key < Key{here.size, here.address} ? &here.left : &here.right;
    }
    join(blocks, blocks[id].left, blocks[id].right, *link);
}

BlockId last(const BlockArena& blocks, BlockId root) {
    BlockId found = kNoBlock;
    for (; root != kNoBlock; root = blocks[root].right) {
        found = root;
    }
    return found;
}

BlockId first_not_before(const BlockArena& blocks, BlockId root, Key key) {
    BlockId found = kNoBlock;
    while (root != kNoBlock) {
        const bool enough = key_of(blocks, root) >= key;
        found = enough ? root : found;
        root = enough ? blocks[root].left : blocks[root].right;
    }
    return found;
}

BlockId first_after(const BlockArena& blocks, BlockId root, Key key) {
    BlockId found = kNoBlock;
    while (root != kNoBlock) {
        const bool later = key_of(blocks, root) > key;
        found = later ? root : found;
        root = later ? blocks[root].left : blocks[root].right;
    }
    return found;
}

BlockId last_before(const BlockArena& blocks, BlockId root, Key key) {
    BlockId found = kNoBlock;
    while (root != kNoBlock) {
        const bool earlier = key_of(blocks, root) < key;
        found = earlier ? root : found;
        root = earlier ? blocks[root].right : blocks[root].left;
    }
    return found;
}

}  // namespace highwater::treap
