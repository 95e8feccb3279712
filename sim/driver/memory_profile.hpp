#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/core/bytes.hpp"

namespace highwater {

/// How far a figure may be off, up or down: the larger of the two.
struct ErrorBar {
    Bytes absolute;
    /// Of the figure itself: 0.15 is 15 %.
    double relative = 0;

    Bytes of(Bytes figure) const {
        constexpr double kMost = 0x1p63;  // a double above cannot become an integer
        const double share = std::min(relative * static_cast<double>(figure.count), kMost);
        return std::max(absolute, Bytes{static_cast<std::uint64_t>(share)});
    }
    friend bool operator==(const ErrorBar&, const ErrorBar&) = default;
};

/// Bytes that are taken once.
struct FixedMemory {
    Bytes bytes;
    ErrorBar error;
    /// Where the figure comes from, for people.
    std::string source;
    friend bool operator==(const FixedMemory&, const FixedMemory&) = default;
};

/// n streams with work on them take `each` * n - `in_context`, in steps of the granularity. They
/// are not given back.
struct StreamMemory {
    Bytes each;
    /// Fits into memory that the context has already.
    Bytes in_context;
    ErrorBar error;
    std::string source;
    friend bool operator==(const StreamMemory&, const StreamMemory&) = default;
};

/// Instantiated graphs draw on two stores that do not lend to each other. A graph's nodes,
/// `kernel_node` a kernel, lie in one page of the granularity, shared with other graphs where they
/// fit, or in whole pages. For launches it takes `graph`, `kernel_launch` a kernel and `join` a
/// join
/// (`GraphExecShape`). A store keeps what destroyed graphs leave, for later ones. Of what both ever
/// needed, `in_context` costs nothing; the rest comes in steps of the granularity.
struct GraphExecCosts {
    Bytes kernel_node;
    Bytes kernel_launch;
    Bytes graph;
    Bytes join;
    Bytes in_context;
    ErrorBar error;
    std::string source;
    friend bool operator==(const GraphExecCosts&, const GraphExecCosts&) = default;
};

/// What graph memory nodes reserve at the first launch, in steps.
struct MemoryNodeCosts {
    Bytes step;
    ErrorBar error;
    std::string source;
    friend bool operator==(const MemoryNodeCosts&, const MemoryNodeCosts&) = default;
};

/// What the driver takes of the device beside PyTorch's allocator. All zero: nothing.
struct MemoryProfile {
    /// The least change of the memory in use that is seen; 0 for none.
    Bytes granularity;
    FixedMemory context;
    /// More at the first kernel.
    FixedMemory modules;
    StreamMemory streams;
    GraphExecCosts graphs;
    MemoryNodeCosts memory_nodes;
    friend bool operator==(const MemoryProfile&, const MemoryProfile&) = default;
};

/// `size` in whole steps, if there are any.
constexpr Bytes in_steps(Bytes size, Bytes step) {
    return step == Bytes{} ? size : round_up(size, step);
}

/// What is left of `size` when `available` has served it.
constexpr Bytes beyond(Bytes size, Bytes available) {
    return size > available ? size - available : Bytes{};
}

}  // namespace highwater
