#pragma once

#include <optional>

#include "sim/allocator/state.hpp"

/// Allocator specification 7.1 to 7.3 and 7.5: free, record_stream and events.
namespace highwater::allocator {

/// The user gives the block back.
void free(State& s, BlockId id);

/// The user gives the block back, and it waits until `complete_free` or until everything is waited
/// for: for histories, which tell when frees completed but not what for.
void free_later(State& s, BlockId id);
/// The block's wait is over. It waits since `free_later`.
void complete_free(State& s, BlockId id);

/// The tensor is used on `stream`; ignored on the block's own stream.
void record_stream(State& s, BlockId id, StreamId stream);

/// 7.3: un-parks, then returns the blocks whose events have all completed. No routing is active.
[[gnu::cold, gnu::noinline]] void process_waiting_events(State& s);
inline void process_events(State& s) {
    if (s.queued_events != 0 || !s.parked.empty()) [[unlikely]] {
        process_waiting_events(s);
    }
}

/// 5.3: waits for the events of every block, or of one private pool's blocks, and returns them.
void synchronize_events(State& s, std::optional<PoolId> pool);

/// The block's uses end.
void drop_uses(State& s, Block& block);

}  // namespace highwater::allocator
