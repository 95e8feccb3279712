#include "sim/capture/reachability.hpp"

#include <algorithm>
#include <utility>

#include "sim/capture/neighbours.hpp"
#include "sim/core/check.hpp"

namespace highwater {

Reachability::Reachability(const CaptureGraph& graph) {
    places_.reserve(num_vertices(graph));
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        auto before = predecessors_of(graph, node);
        check(before.empty() || before.back() < node, "nodes follow those that they depend on");
        place(graph, std::move(before));
    }
}

// Places the next node, which depends on `before`.
void Reachability::place(const CaptureGraph& graph, std::vector<GraphVertex> before) {
    // A stream keeps to one chain where it can: going on with another's would leave both in pieces.
    const StreamId stream = graph[places_.size()].stream;
    std::stable_partition(before.begin(), before.end(), [&](GraphVertex other) {
        return graph[other].stream == stream;
    });
    const std::uint32_t stretch = stretch_for(before);
    const std::uint32_t chain = chain_for(before, behind_[stretch]);
    places_.push_back({chain, chain_lengths_[chain]++, stretch});
}

// Whether a node that follows `node` can be the next of its chain.
bool Reachability::is_last(GraphVertex node) const {
    return places_[node].position + 1 == chain_lengths_[places_[node].chain];
}

std::uint32_t Reachability::stretch_for(const std::vector<GraphVertex>& before) {
    if (before.size() != 1) {
        return new_stretch(before);
    }
    return is_last(before[0]) ? places_[before[0]].stretch : stretch_after(before[0]);
}

std::uint32_t Reachability::stretch_after(GraphVertex fork) {
    const auto [found, is_new] = after_fork_.try_emplace(fork);
    if (is_new) {
        found->second = new_stretch({fork});
    }
    return found->second;
}

std::uint32_t Reachability::new_stretch(const std::vector<GraphVertex>& before) {
    Behind behind;
    for (const GraphVertex node : before) {
        add(behind, node);
    }
    behind_.push_back(std::move(behind));
    return static_cast<std::uint32_t>(behind_.size() - 1);
}

// A chain whose last node is behind: if possible a direct predecessor's, else for instance a side
// stream's whose work in the layer before was joined.
std::uint32_t Reachability::chain_for(const std::vector<GraphVertex>& before,
                                      const Behind& behind) {
    const auto next = std::ranges::find_if(before, [&](GraphVertex node) { return is_last(node); });
    if (next != before.end()) {
        return places_[*next].chain;
    }
    for (std::uint32_t chain = 0; chain < behind.size(); ++chain) {
        if (behind[chain] == chain_lengths_[chain]) {
            return chain;
        }
    }
    chain_lengths_.push_back(0);
    return static_cast<std::uint32_t>(chain_lengths_.size() - 1);
}

// Adds `before` and all that it has behind it.
void Reachability::add(Behind& behind, GraphVertex before) const {
    const Place& last = places_[before];
    const Behind& more = behind_[last.stretch];
    behind.resize(std::max({behind.size(), more.size(), std::size_t{last.chain} + 1}));
    for (std::size_t chain = 0; chain < more.size(); ++chain) {
        behind[chain] = std::max(behind[chain], more[chain]);
    }
    behind[last.chain] = std::max(behind[last.chain], last.position + 1);
}

}  // namespace highwater
