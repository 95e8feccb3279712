#include "sim/capture/antichain.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/range/iterator_range.hpp>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

using ArcTraits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct Arc {
    std::int64_t capacity = 0;
    std::int64_t residual = 0;
    ArcTraits::edge_descriptor reverse;
};

using Network =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;

// Chains join elements: a unit of flow over `out(a) -> in(b)` lets one chain go on from a to b, and
// so saves one. An element may be left as often as it weighs, entered as often, and passed through
// besides.
class ChainNetwork {
  public:
    explicit ChainNetwork(const WeightedOrder& order)
        : elements_(order.weights.size()), network_(2 * elements_ + 2) {
        const auto all = total(order);
        for (std::size_t i = 0; i < elements_; ++i) {
            const auto weight = static_cast<std::int64_t>(order.weights[i]);
            connect(source(), out(i), weight);
            connect(in(i), sink(), weight);
            connect(in(i), out(i), all);
        }
        for (const auto& [earlier, later] : order.before) {
            connect(out(earlier), in(later), all);
        }
    }

    // The elements on the cut: what the flow can still leave but no longer enter.
    std::vector<std::size_t> antichain() {
        boost::boykov_kolmogorov_max_flow(network_,
                                          get(&Arc::capacity, network_),
                                          get(&Arc::residual, network_),
                                          get(&Arc::reverse, network_),
                                          get(boost::vertex_index, network_),
                                          source(),
                                          sink());
        const auto open = still_reached();
        std::vector<std::size_t> elements;
        for (std::size_t i = 0; i < elements_; ++i) {
            if (open[out(i)] && !open[in(i)]) {
                elements.push_back(i);
            }
        }
        return elements;
    }

  private:
    static std::int64_t total(const WeightedOrder& order) {
        constexpr std::uint64_t kLimit = std::uint64_t{1} << 62;
        std::uint64_t sum = 0;
        for (const std::uint64_t weight : order.weights) {
            check(weight < kLimit - sum, "weights add up to less than 2^62");
            sum += weight;
        }
        return static_cast<std::int64_t>(sum);
    }

    std::size_t out(std::size_t element) const { return 2 * element; }
    std::size_t in(std::size_t element) const { return 2 * element + 1; }
    std::size_t source() const { return 2 * elements_; }
    std::size_t sink() const { return 2 * elements_ + 1; }

    void connect(std::size_t from, std::size_t to, std::int64_t capacity) {
        const auto forward = add_edge(from, to, Arc{capacity, 0, {}}, network_).first;
        const auto backward = add_edge(to, from, Arc{0, 0, forward}, network_).first;
        network_[forward].reverse = backward;
    }

    std::vector<bool> still_reached() const {
        std::vector<bool> reached(num_vertices(network_));
        std::vector<std::size_t> open{source()};
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            for (const auto arc : boost::make_iterator_range(out_edges(node, network_))) {
                const std::size_t next = target(arc, network_);
                if (network_[arc].residual > 0 && !reached[next]) {
                    reached[next] = true;
                    open.push_back(next);
                }
            }
        }
        return reached;
    }

    std::size_t elements_;
    Network network_;
};

}  // namespace

Antichain heaviest_antichain(const WeightedOrder& order) {
    Antichain found{0, ChainNetwork(order).antichain()};
    for (const std::size_t element : found.elements) {
        found.weight += order.weights[element];
    }
    return found;
}

}  // namespace highwater
