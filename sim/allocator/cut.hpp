#pragma once

#include "sim/allocator/block.hpp"

namespace highwater::allocator {

/// Cuts a block in no set after `size` bytes. The rest, also in no set, is a block like it that
/// follows it: of the same pool and stream, with the same last request.
inline BlockId cut_block(BlockArena& blocks, BlockId id, Bytes size) {
    const BlockId rest_id = blocks.add_like(id);
    Block& front = blocks[id];
    Block& rest = blocks[rest_id];
    rest.address = front.address + size;
    rest.size = front.size - size;
    rest.prev = id;
    rest.next = front.next;
    if (rest.next != kNoBlock) {
        blocks[rest.next].prev = rest_id;
    }
    front.size = size;
    front.next = rest_id;
    return rest_id;
}

}  // namespace highwater::allocator
