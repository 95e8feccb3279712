#include "sim/engine/pool_bounds.hpp"

#include <algorithm>
#include <map>

#include "sim/capture/schedule_bound.hpp"
#include "sim/engine/pool_lifetimes.hpp"

namespace highwater {
namespace {

std::vector<TensorId> accessed_by(const Op& op) {
    std::vector<TensorId> accessed;
    if (const auto* kernel = std::get_if<op::Kernel>(&op)) {
        accessed = kernel->reads;
        accessed.insert(accessed.end(), kernel->writes.begin(), kernel->writes.end());
    } else if (const auto* memset = std::get_if<op::Memset>(&op)) {
        accessed = {memset->tensor};
    } else if (const auto* reduced = std::get_if<op::AllReduce>(&op)) {
        accessed = {reduced->tensor};
    } else if (const auto* copy = std::get_if<op::Copy>(&op)) {
        for (const auto& tensor : {copy->from, copy->to}) {
            if (tensor) {
                accessed.push_back(*tensor);
            }
        }
    }
    return accessed;
}

// A graph with one more node, which comes after all others: what outlives the capture is in use
// until then.
struct EndedGraph {
    CaptureGraph graph;
    GraphVertex end = 0;
};

EndedGraph ended(const CaptureGraph& captured) {
    EndedGraph made{captured, 0};
    const std::size_t nodes = num_vertices(captured);
    made.end = add_vertex(GraphNode{.kind = NodeKind::kEmpty}, made.graph);
    for (std::size_t i = 0; i < nodes; ++i) {
        if (out_degree(i, captured) == 0) {
            add_edge(i, made.end, made.graph);
        }
    }
    return made;
}

// The operations of a capture, from its beginning to its end.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

Range range_of(const Program& program, const CaptureGraph& graph) {
    Range range{graph[0].op, graph[num_vertices(graph) - 1].op};
    while (range.begin > 0 && !std::holds_alternative<op::BeginCapture>(program.ops[range.begin])) {
        --range.begin;
    }
    while (range.end + 1 < program.ops.size() &&
           !std::holds_alternative<op::EndCapture>(program.ops[range.end])) {
        ++range.end;
    }
    return range;
}

// What a pool's tensors are to one graph.
class GraphUses {
  public:
    GraphUses(const Ledger& ledger, const std::vector<Lifetime>& lifetimes, const Range& range)
        : range_(range) {
        for (const Lifetime& each : lifetimes) {
            if (each.upper <= range.begin || each.lower >= range.end) {
                continue;
            }
            if (each.lower < range.begin) {
                alive_before_ += each.size;
                continue;
            }
            by_tensor_[ledger.placements[each.id].tensor].push_back(uses_.size());
            uses_.push_back({each.size, {}});
            lifetimes_.push_back(each);
        }
    }

    // No value beyond the limits of `largest_live_in_any_schedule`.
    std::optional<Bytes> bound(const Program& program, const CaptureGraph& captured) {
        const EndedGraph graph = ended(captured);
        for (GraphVertex node = 0; node < graph.end; ++node) {
            const std::size_t op = graph.graph[node].op;
            for (const TensorId tensor : accessed_by(program.ops[op])) {
                add(tensor, op, node);
            }
        }
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            if (lifetimes_[i].upper > range_.end && !uses_[i].nodes.empty()) {
                uses_[i].nodes.push_back(graph.end);
            }
        }
        const auto bound = largest_live_in_any_schedule(graph.graph, uses_);
        return bound ? std::optional(bound->bytes + alive_before_) : std::nullopt;
    }

  private:
    void add(TensorId tensor, std::size_t op, GraphVertex node) {
        const auto found = by_tensor_.find(tensor);
        if (found == by_tensor_.end()) {
            return;
        }
        for (const std::size_t use : found->second) {
            if (lifetimes_[use].lower <= op && op < lifetimes_[use].upper &&
                (uses_[use].nodes.empty() || uses_[use].nodes.back() != node)) {
                uses_[use].nodes.push_back(node);
            }
        }
    }

    Range range_;
    Bytes alive_before_;
    std::vector<Lifetime> lifetimes_;
    std::vector<TensorUse> uses_;
    std::map<TensorId, std::vector<std::size_t>> by_tensor_;
};

// The bound of the graph that needs most.
std::optional<Bytes> any_schedule(const Program& program,
                                  const Ledger& ledger,
                                  const std::vector<Lifetime>& lifetimes,
                                  std::span<const CaptureGraph> graphs) {
    Bytes most = largest_live(lifetimes);
    for (const CaptureGraph& graph : graphs) {
        if (num_vertices(graph) == 0) {
            continue;
        }
        GraphUses uses(ledger, lifetimes, range_of(program, graph));
        const std::optional<Bytes> bound = uses.bound(program, graph);
        if (!bound) {
            return std::nullopt;
        }
        most = std::max(most, *bound);
    }
    return most;
}

void add_packing(PoolBounds& bounds, const std::vector<Lifetime>& lifetimes) {
    if (lifetimes.size() > kMostPacked) {
        return;
    }
    const Packing packing = best_packing(lifetimes);
    bounds.packed = packing.capacity;
    bounds.is_packing_optimal = packing.is_optimal;
}

}  // namespace

std::vector<PoolBounds> pool_bounds(const Program& program,
                                    const Ledger& ledger,
                                    std::span<const CaptureGraph> graphs) {
    const std::vector<PoolLifetimes> pools = pool_lifetimes(program, ledger);
    std::vector<PoolBounds> all;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const std::vector<Lifetime>& lifetimes = pools[i].lifetimes;
        if (lifetimes.empty()) {
            continue;
        }
        PoolBounds bounds{.pool = i,
                          .high_water = ledger.pools[i].high_water,
                          .largest_live = largest_live(lifetimes),
                          .any_schedule = any_schedule(program, ledger, lifetimes, graphs),
                          .packed = std::nullopt};
        add_packing(bounds, lifetimes);
        all.push_back(bounds);
    }
    return all;
}

}  // namespace highwater
