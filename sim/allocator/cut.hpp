#pragma once

#include "sim/allocator/block.hpp"

namespace highwater::allocator {

/// Cuts a block in no set after `size` bytes. The rest, also in no set, is a block like it that
/// follows it: of the same pool and stream, with the same last request.
inline BlockId cut_block(BlockArena& blocks, BlockId id, Bytes size) {
    Block rest = blocks[id];
    rest.address = rest.address + size;
    rest.size -= size;
    rest.prev = id;
    const BlockId rest_id = blocks.add(rest);
    if (rest.next != kNoBlock) {
        blocks[rest.next].prev = rest_id;
    }
    blocks[id].size = size;
    blocks[id].next = rest_id;
    return rest_id;
}

}  // namespace highwater::allocator
