#pragma once

#include <cstdint>
#include <limits>

#include "sim/core/ids.hpp"
#include "sim/engine/program.hpp"
#include "sim/hazards/clock.hpp"

namespace highwater {

/// One of the tensors that a name stands for one after the other: allocations are numbered from 1.
enum class Instance : std::uint32_t {};
inline constexpr Instance kNoInstance{0};

/// A read or a write of GPU memory by an operation of the Program, or by a node of a graph.
struct Access {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    /// Index into `Program::ops`: the launch, or the replay of the graph.
    std::uint32_t op = 0;
    /// In a replay the operation that was captured.
    std::uint32_t node = kNone;
    /// The graph that is replayed, as a number of `GraphId`.
    std::uint32_t graph = kNone;
    TensorId tensor{};
    Instance instance{};
    /// The operation that allocated the tensor.
    std::uint32_t allocated = 0;
    StreamId stream{};
    Epoch epoch = 0;
    bool writes = false;
    /// A copy's read: what is copied out is meant to be kept.
    bool copies = false;
    /// Of a replay's write: the graph's replay before, where its own write there is gone before
    /// anything has read it or the host could have.
    std::uint32_t unread = kNone;
    /// Of a graph's write: the graph reads what was there before, and goes on from it.
    bool updates = false;
};

}  // namespace highwater
