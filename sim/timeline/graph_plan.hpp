#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/capture/capture_graph.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/time_profile.hpp"
#include "sim/timeline/card.hpp"

namespace highwater {

/// A graph made ready to run: what each node does, and whom it lets go.
class GraphPlan {
  public:
    struct Node {
        /// On the card, or beside it for what is no kernel.
        Duration duration{};
        Share width{};
        /// `kHost`: beside the card, as what does nothing.
        WorkUnit unit = WorkUnit::kCard;
        /// From the moment that all it depends on is done until it begins.
        Duration gap{};
        std::uint32_t dependencies = 0;
    };

    GraphPlan(const CaptureGraph& graph, const CardTimes& times);

    std::size_t size() const { return nodes_.size(); }
    const Node& node(std::size_t index) const { return nodes_[index]; }
    std::span<const std::uint32_t> dependents(std::size_t index) const {
        return std::span(dependents_).subspan(first_[index], first_[index + 1] - first_[index]);
    }
    /// Of all nodes, one after the other.
    Duration work() const { return work_; }

  private:
    std::vector<Node> nodes_;
    /// The dependents of node i are `dependents_[first_[i] .. first_[i + 1]]`.
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> dependents_;
    Duration work_{};
};

}  // namespace highwater
