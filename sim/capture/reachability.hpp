#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// Which nodes of a graph are ancestors of which, for many questions: O(1) each.
///
/// Nodes are put into chains, in which each node reaches the next; a node notes how many nodes of
/// each chain it has behind it. Nodes that follow each other without a fork or join between them
/// share a note, and so do the branches of a fork. It costs O(nodes + (forks + joins) x chains)
/// memory and O(nodes + (branches + edges into joins) x chains) time. A capture has about as many
/// chains as branches side by side; at worst, forks, joins and chains grow with the nodes.
class Reachability {
  public:
    /// The graph's nodes must be in a topological order, as they are in a capture.
    explicit Reachability(const CaptureGraph& graph);

    /// Whether `to` depends on `from`, directly or through others. No node reaches itself.
    bool reaches(GraphVertex from, GraphVertex to) const {
        const Place& a = places_[from];
        const Place& b = places_[to];
        if (a.chain == b.chain) {
            return a.position < b.position;
        }
        const auto& behind = behind_[b.stretch];
        return a.chain < behind.size() && a.position < behind[a.chain];
    }

    /// How many chains the nodes were put into: never fewer than the most nodes that could run at
    /// once.
    std::size_t chains() const { return chain_lengths_.size(); }

  private:
    /// Where a node stands.
    struct Place {
        std::uint32_t chain = 0;
        std::uint32_t position = 0;
        std::uint32_t stretch = 0;
    };
    /// For each chain how many of its nodes are behind; chains beyond the end have none. The
    /// entry of the chain that the stretch itself is on may be too small: positions tell there.
    using Behind = std::vector<std::uint32_t>;

    void place(const CaptureGraph& graph, std::vector<GraphVertex> before);
    bool is_last(GraphVertex node) const;
    std::uint32_t stretch_for(const std::vector<GraphVertex>& before);
    std::uint32_t stretch_after(GraphVertex fork);
    std::uint32_t new_stretch(const std::vector<GraphVertex>& before);
    std::uint32_t chain_for(const std::vector<GraphVertex>& before, const Behind& behind);
    void add(Behind& behind, GraphVertex before) const;

    std::vector<Place> places_;
    std::vector<Behind> behind_;
    std::vector<std::uint32_t> chain_lengths_;
    /// What branches share that begin at the same node.
    std::map<GraphVertex, std::uint32_t> after_fork_;
};

}  // namespace highwater
