#pragma once

#include "sim/allocator/state.hpp"

/// Allocator specification 7.4: blocks that become free, and their neighbours.
namespace highwater::allocator {

/// A pending block becomes free, merged with its free neighbours.
void return_to_pool(State& s, BlockId id);

/// The same of a block that is not active any more, counted as such.
void become_free(State& s, BlockId id);

/// Joins a block of `at` with each neighbour that is free and equally mapped; the neighbours leave
/// their sets, the block is in none. Gives the bytes that prev and next brought, 0 where not
/// merged.
struct Merged {
    Bytes prev;
    Bytes next;
};
Merged merge_with_neighbours(State& s, PoolStream& at, BlockId id);

/// Free, mapped or not: no user and no event holds it.
inline bool is_free(const Block& block) {
    return !block.is_active();
}

}  // namespace highwater::allocator
