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

Side opposite(Side side) {
    return side == kBefore ? kAfter : kBefore;
}

// On which side of the block the key belongs.
Side side_of(const BlockArena& blocks, BlockId id, Key key) {
    return static_cast<Side>(key_of(blocks, id) < key);
}

// Parts the tree under `rest` at the block: what is before it in order and what is after it become
// its children.
void split_below(BlockArena& blocks, BlockId rest, BlockId id) {
    const Key key = key_of(blocks, id);
    std::array<BlockId, 2> parents{id, id};
    std::array<BlockId*, 2> links{&blocks[id].children[kBefore], &blocks[id].children[kAfter]};
    while (rest != kNoBlock) {
        const Side inner = side_of(blocks, rest, key);
        const Side part = opposite(inner);
        *links[part] = rest;
        blocks[rest].parent = parents[part];
        parents[part] = rest;
        links[part] = &blocks[rest].children[inner];
        rest = *links[part];
    }
    *links[kBefore] = kNoBlock;
    *links[kAfter] = kNoBlock;
}

// Joins two trees, all of the first in order ahead of all of the second, under one link.
void join(BlockArena& blocks, std::array<BlockId, 2> parts, BlockId parent, BlockId* link) {
    while (parts[kBefore] != kNoBlock && parts[kAfter] != kNoBlock) {
        const auto upper = static_cast<Side>(priority(parts[kBefore]) <= priority(parts[kAfter]));
        *link = parts[upper];
        blocks[*link].parent = parent;
        parent = *link;
        link = &blocks[parent].children[opposite(upper)];
        parts[upper] = *link;
    }
    *link = parts[kBefore] != kNoBlock ? parts[kBefore] : parts[kAfter];
    if (*link != kNoBlock) {
        blocks[*link].parent = parent;
    }
}

BlockId& link_to(BlockArena& blocks, Tree& tree, BlockId id) {
    const BlockId parent = blocks[id].parent;
    if (parent == kNoBlock) {
        return tree.root;
    }
    return blocks[parent].children[blocks[parent].children[kBefore] == id ? kBefore : kAfter];
}

}  // namespace

void insert(BlockArena& blocks, Tree& tree, BlockId id) {
    const Key key = key_of(blocks, id);
    const std::uint32_t height = priority(id);
    BlockId parent = kNoBlock;
    BlockId* link = &tree.root;
    while (*link != kNoBlock && priority(*link) > height) {
        parent = *link;
        link = &blocks[parent].children[side_of(blocks, parent, key)];
    }
    const BlockId rest = *link;
    *link = id;
    blocks[id].parent = parent;
    split_below(blocks, rest, id);
    tree.first = key < key_of(blocks, tree.first) ? id : tree.first;
}

void erase(BlockArena& blocks, Tree& tree, BlockId id) {
    if (tree.first == id) {
        tree.first = neighbour(blocks, id, kAfter);
    }
    BlockId& link = link_to(blocks, tree, id);
    check(link == id, "a block taken out of the free blocks is among them");
    join(blocks, blocks[id].children, blocks[id].parent, &link);
}

BlockId outermost(const BlockArena& blocks, BlockId root, Side side) {
    BlockId found = kNoBlock;
    for (; root != kNoBlock; root = blocks[root].children[side]) {
        found = root;
    }
    return found;
}

BlockId neighbour(const BlockArena& blocks, BlockId id, Side side) {
    if (const BlockId below = blocks[id].children[side]; below != kNoBlock) {
        return outermost(blocks, below, opposite(side));
    }
    BlockId above = blocks[id].parent;
    while (above != kNoBlock && blocks[above].children[side] == id) {
        id = above;
        above = blocks[id].parent;
    }
    return above;
}

BlockId first_not_before(const BlockArena& blocks, const Tree& tree, Key key) {
    BlockId found = kNoBlock;
    for (BlockId id = tree.root; id != kNoBlock;) {
        const Side side = side_of(blocks, id, key);
        found = side == kBefore ? id : found;
        id = blocks[id].children[side];
    }
    return found;
}

}  // namespace highwater::treap
