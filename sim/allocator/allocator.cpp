#include "sim/allocator/allocator.hpp"

#include <cmath>

#include "sim/allocator/events.hpp"
#include "sim/allocator/release.hpp"
#include "sim/allocator/routing.hpp"

namespace highwater {

Allocator::Allocator(const AllocatorSettings& settings, Bytes total_memory, Ports ports)
    : state_(settings, total_memory, ports) {
    add_stream(StreamHandle{0});
    set_memory_fraction(settings.per_process_memory_fraction);
}

StreamId Allocator::add_stream(StreamHandle handle) {
    const StreamId next{static_cast<std::uint32_t>(state_.streams.size())};
    const auto [known, is_new] = streams_.try_emplace(handle, next);
    if (is_new) {
        state_.streams.push_back({.handle = handle, .events = {}});
    }
    return known->second;
}

void Allocator::free(BlockId block) {
    check(state_.blocks[block].allocated, "a block that is freed is allocated");
    allocator::free(state_, block);
}

void Allocator::record_stream(BlockId block, StreamId stream) {
    check(state_.blocks[block].allocated, "a block that is recorded is allocated");
    allocator::record_stream(state_, block, stream);
}

void Allocator::empty_cache() {
    allocator::release_cached_blocks(state_);
}

void Allocator::begin_capture(PoolId pool, CaptureId capture) {
    allocator::begin_routing(state_, {pool, capture});
}

void Allocator::begin_use_mem_pool(PoolId pool, ThreadId thread) {
    allocator::begin_routing(state_, {pool, thread});
}

void Allocator::end_routing(PoolId pool) {
    allocator::end_routing(state_, pool);
}

void Allocator::give_up_pool(PoolId pool) {
    allocator::give_up_pool(state_, pool);
}

void Allocator::create_pool(PoolId pool, bool use_on_oom, bool no_split) {
    allocator::create_pool(state_, pool, use_on_oom, no_split);
}

void Allocator::destroy_pool(PoolId pool) {
    allocator::destroy_pool(state_, pool);
}

void Allocator::apply_settings(std::string_view text) {
    highwater::apply_settings(state_.settings, text);
}

void Allocator::set_memory_fraction(double fraction) {
    state_.limit.reset();
    if (fraction < 1.0) {
        const double allowed = fraction * static_cast<double>(state_.total_memory.count);
        state_.limit = Bytes{static_cast<std::uint64_t>(std::floor(allowed))};
    }
}

}  // namespace highwater
