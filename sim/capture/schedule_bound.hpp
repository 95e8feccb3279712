#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

/// Memory, and the nodes that write or read it. It is in use from the first of them that starts to
/// the last that ends; without nodes, never.
struct TensorUse {
    Bytes size;
    std::vector<GraphVertex> nodes;
};

/// Tensors any two of which are in use together in some order that the graph allows, and what they
/// add up to.
///
/// No schedule of the graph needs more than `bytes`. And no pool in which each tensor has one place
/// for all schedules is smaller than `bytes`, because no two of these may share a byte.
struct ScheduleBound {
    Bytes bytes;
    /// Places in the list of tensors, ascending.
    std::vector<std::size_t> tensors;
    /// Whether one schedule is known to need all of it at once. It always is where each tensor has
    /// one node before all its others and one after all of them. Otherwise each two may be in use
    /// together, but in different schedules.
    bool is_attained = false;
};

/// Beyond so many tensors, or so many pairs of a tensor and one that can take its place next, there
/// is no bound.
struct ScheduleBoundLimits {
    std::size_t tensors = 10000;
    std::size_t pairs = 1000000;
};

/// The heaviest such tensors; none beyond the limits.
///
/// A tensor is over before another if each of its nodes reaches each of the other's. That is a
/// partial order: it carries over from a to b to c by any node of b, and no tensor is over before
/// itself, as no node reaches itself. If neither of two is over before the other, some schedule has
/// both in use. So the answer is the heaviest antichain of this order.
std::optional<ScheduleBound> largest_live_in_any_schedule(const CaptureGraph& graph,
                                                          std::span<const TensorUse> tensors,
                                                          const ScheduleBoundLimits& limits = {});

}  // namespace highwater
