#include "sim/driver/graph_memory_nodes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/capture/reachability.hpp"
#include "sim/core/check.hpp"

namespace highwater {
namespace {

struct Range {
    Bytes begin;
    Bytes end;
};

void require(const CaptureGraph& graph,
             const Reachability& order,
             const GraphAllocation& allocation) {
    const auto [alloc, free, size] = allocation;
    check(alloc < num_vertices(graph) && graph[alloc].kind == NodeKind::kMemAlloc,
          "graph memory is allocated by an allocation node");
    check(!free || (*free < num_vertices(graph) && graph[*free].kind == NodeKind::kMemFree &&
                    order.reaches(alloc, *free)),
          "graph memory is freed by a free node after its allocation");
}

class Layout {
  public:
    Layout(const CaptureGraph& graph, const std::vector<GraphAllocation>& allocations)
        : order_(graph), allocations_(allocations) {
        for (std::size_t i = 0; i < allocations.size(); ++i) {
            require(graph, order_, allocations[i]);
            check(i == 0 || allocations[i - 1].alloc < allocations[i].alloc,
                  "graph allocations are in the order of their nodes");
            if (const auto free = allocations[i].free) {
                frees_.emplace_back(*free, i);
            }
        }
        std::sort(frees_.begin(), frees_.end());
    }

    GraphMemoryLayout run() {
        auto next_free = frees_.begin();
        for (std::size_t i = 0; i < allocations_.size(); ++i) {
            while (next_free != frees_.end() && next_free->first < allocations_[i].alloc) {
                give_back(next_free->second);
                ++next_free;
            }
            place(i);
        }
        return std::move(made_);
    }

  private:
    Range range_of(std::size_t i) const {
        return {made_.offsets[i], made_.offsets[i] + allocations_[i].size};
    }

    bool is_freed_before(std::size_t i, GraphVertex node) const {
        return order_.reaches(*allocations_[i].free, node);
    }

    void give_back(std::size_t i) {
        held_.erase(i);
        const auto chain = std::ranges::find_if(given_back_, [&](const auto& each) {
            return is_freed_before(each.back(), *allocations_[i].free);
        });
        if (chain == given_back_.end()) {
            given_back_.push_back({i});
        } else {
            chain->push_back(i);
        }
    }

    // Those held, and those whose free does not precede `alloc`: the last of each chain.
    std::vector<Range> in_the_way(GraphVertex alloc) const {
        std::vector<Range> ranges;
        for (const std::size_t i : held_) {
            ranges.push_back(range_of(i));
        }
        for (const std::vector<std::size_t>& chain : given_back_) {
            for (auto i = chain.rbegin(); i != chain.rend() && !is_freed_before(*i, alloc); ++i) {
                ranges.push_back(range_of(*i));
            }
        }
        return ranges;
    }

    void place(std::size_t i) {
        const Bytes size = allocations_[i].size;
        std::vector<Range> ranges = in_the_way(allocations_[i].alloc);
        std::ranges::sort(ranges, {}, &Range::begin);
        Bytes offset;
        for (const Range& range : ranges) {
            if (offset + size <= range.begin) {
                break;
            }
            offset = std::max(offset, range.end);
        }
        made_.offsets.push_back(offset);
        made_.needed = std::max(made_.needed, offset + size);
        held_.insert(i);
    }

    Reachability order_;
    const std::vector<GraphAllocation>& allocations_;
    /// A free node and its allocation, in the order of capture.
    std::vector<std::pair<GraphVertex, std::size_t>> frees_;
    /// Allocations whose free is not captured yet.
    std::set<std::size_t> held_;
    /// The others, in chains in which each free precedes the next.
    std::vector<std::vector<std::size_t>> given_back_;
    GraphMemoryLayout made_;
};

}  // namespace

std::size_t GraphMemoryLayout::distinct_addresses() const {
    return std::set<Bytes>(offsets.begin(), offsets.end()).size();
}

GraphMemoryLayout lay_out_memory_nodes(const CaptureGraph& graph,
                                       const std::vector<GraphAllocation>& allocations) {
    return Layout(graph, allocations).run();
}

}  // namespace highwater
