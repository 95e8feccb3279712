#pragma once

#include <optional>
#include <vector>

#include "sim/allocator/cached_blocks.hpp"
#include "sim/allocator/stranded_bytes.hpp"

/// Why free memory does not serve a request, by the rules that malloc itself goes by, and where
/// what is not allocated is.
namespace highwater::allocator {

/// The request that malloc would make of it now, with its pool chosen by the routings. `requested`
/// is above 0.
Request request_of(const State& s, Bytes requested, StreamId stream, ThreadId thread = kMainThread);

/// The same in the pools of a given owner; none if there is no such pool.
std::optional<Request> request_in(const State& s, Bytes requested, StreamId stream, PoolId owner);

/// What is not allocated, by the first reason why it cannot serve the request, over the whole
/// device. Takes time in proportion to the streams of the request's pool, not to blocks.
StrandedBytes stranded(const State& s, const Request& request);

/// Why one block does not serve; no reason if it could.
struct Verdict {
    BlockId block{};
    std::optional<StrandedReason> reason;
};

/// Each block that is free or pending, by address.
std::vector<Verdict> verdicts(const State& s, const Request& request);

/// What is reserved and not allocated of one owner's pools on one stream, free or pending; nothing
/// if there is no such pool.
Bytes not_allocated(const State& s, PoolId owner, StreamId stream);

/// What one stream has of one pool, without a request. reserved = allocated + free + waiting +
/// parked.
struct PoolStreamBytes {
    PoolId pool;
    PoolKind kind{};
    StreamId stream{};
    Bytes reserved;
    Bytes allocated;
    Bytes free;
    /// For events.
    Bytes waiting;
    /// Until no routing is active.
    Bytes parked;
    friend bool operator==(const PoolStreamBytes&, const PoolStreamBytes&) = default;
};

/// Those that have anything reserved, by pool, kind and stream.
std::vector<PoolStreamBytes> bytes_by_pool_stream(const State& s);

}  // namespace highwater::allocator
