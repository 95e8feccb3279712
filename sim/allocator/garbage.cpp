#include "sim/allocator/garbage.hpp"

#include <cstdint>
#include <vector>

#include "sim/allocator/pools.hpp"
#include "sim/allocator/segments.hpp"

namespace highwater::allocator {
namespace {

// Lookups since the block entered the pool; the difference is right across the wrap at 2^32.
std::uint32_t age(const State& s, BlockId id) {
    const Block& block = s.blocks[id];
    return pool_of(s, block).lookups - block.gc_base;
}

struct Ages {
    std::uint64_t total = 0;
    std::uint64_t count = 0;
    double average() const { return static_cast<double>(total) / static_cast<double>(count); }
};

Ages ages_of_whole_blocks(const State& s) {
    Ages ages;
    for (const BlockId id : free_blocks_in_order(s, kDefaultLargePool)) {
        if (!s.blocks[id].is_split()) {
            ages.total += age(s, id);
            ++ages.count;
        }
    }
    return ages;
}

bool is_collectable(const State& s, BlockId id, double least_age) {
    const Block& block = s.blocks[id];
    return !block.is_split() && !block.is_expandable() && age(s, id) >= least_age;
}

// One round: releases every block of at least the average age. Returns the bytes it released.
Bytes release_older(State& s, Ages& ages) {
    Bytes released;
    const double average = ages.average();
    for (const BlockId id : free_blocks_in_order(s, kDefaultLargePool)) {
        if (!is_collectable(s, id, average)) {
            continue;
        }
        ages.total -= age(s, id);
        --ages.count;
        released += s.blocks[id].size;
        free_segment(s, id);
    }
    return released;
}

}  // namespace

void collect_garbage(State& s) {
    const double limit = static_cast<double>(s.limit->count);
    const Bytes threshold{
        static_cast<std::uint64_t>(s.settings.garbage_collection_threshold * limit)};
    if (s.total_allocated <= threshold) {
        return;
    }
    const Bytes target = s.total_allocated - threshold;
    Ages ages = ages_of_whole_blocks(s);
    Bytes released;
    Bytes last_round{1};
    while (released < target && last_round > Bytes{0} && ages.count > 0) {
        last_round = release_older(s, ages);
        released += last_round;
    }
}

}  // namespace highwater::allocator
