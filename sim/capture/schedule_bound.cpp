#include "sim/capture/schedule_bound.hpp"

#include <algorithm>
#include <utility>

#include <boost/dynamic_bitset.hpp>

#include "sim/capture/antichain.hpp"
#include "sim/capture/reachability.hpp"

namespace highwater {
namespace {

// A tensor with what decides when it is over: its nodes that no other of its nodes reaches, and
// those that reach no other. Both ascending.
struct Span {
    std::size_t tensor = 0;
    std::vector<GraphVertex> firsts;
    std::vector<GraphVertex> lasts;
};

std::vector<GraphVertex> firsts_of(const std::vector<GraphVertex>& nodes,
                                   const Reachability& order) {
    std::vector<GraphVertex> firsts;
    for (const GraphVertex node : nodes) {
        if (std::ranges::none_of(firsts,
                                 [&](GraphVertex first) { return order.reaches(first, node); })) {
            firsts.push_back(node);
        }
    }
    return firsts;
}

std::vector<GraphVertex> lasts_of(const std::vector<GraphVertex>& nodes,
                                  const Reachability& order) {
    std::vector<GraphVertex> lasts;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        if (std::ranges::none_of(lasts,
                                 [&](GraphVertex last) { return order.reaches(*node, last); })) {
            lasts.push_back(*node);
        }
    }
    std::ranges::reverse(lasts);
    return lasts;
}

// In the order of their first nodes, so that none is over before an earlier one.
std::vector<Span> spans_of(std::span<const TensorUse> tensors, const Reachability& order) {
    std::vector<Span> spans;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        auto nodes = tensors[i].nodes;
        if (!nodes.empty()) {
            std::ranges::sort(nodes);
            nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
            spans.push_back({i, firsts_of(nodes, order), lasts_of(nodes, order)});
        }
    }
    std::ranges::stable_sort(spans, {}, [](const Span& span) { return span.firsts.front(); });
    return spans;
}

bool is_over_before(const Span& a, const Span& b, const Reachability& order) {
    // Most pairs are decided by the order of capture alone.
    return a.lasts.back() < b.firsts.front() && std::ranges::all_of(a.lasts, [&](GraphVertex last) {
               return std::ranges::all_of(
                   b.firsts, [&](GraphVertex first) { return order.reaches(last, first); });
           });
}

// Which spans are over before which, without the pairs that others imply. None if there are more
// than `most_pairs`.
std::optional<std::vector<std::pair<std::size_t, std::size_t>>> next_pairs(
    const std::vector<Span>& spans, const Reachability& order, std::size_t most_pairs) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<boost::dynamic_bitset<>> later(spans.size(), boost::dynamic_bitset<>(spans.size()));
    for (std::size_t a = spans.size(); a-- > 0;) {
        for (std::size_t b = a + 1; b < spans.size(); ++b) {
            if (!later[a][b] && is_over_before(spans[a], spans[b], order)) {
                later[a] |= later[b];
                later[a].set(b);
                pairs.emplace_back(a, b);
            }
        }
        if (pairs.size() > most_pairs) {
            return std::nullopt;
        }
    }
    return pairs;
}

// Whether all are in use at the moment at which just so much has ended as lets each of them begin.
bool in_use_together(const std::vector<const Span*>& together, const Reachability& order) {
    const auto has_ended = [&](GraphVertex node) {
        return std::ranges::any_of(together, [&](const Span* other) {
            return order.reaches(node, other->firsts.front());
        });
    };
    return std::ranges::none_of(
        together, [&](const Span* span) { return std::ranges::all_of(span->lasts, has_ended); });
}

}  // namespace

std::optional<ScheduleBound> largest_live_in_any_schedule(const CaptureGraph& graph,
                                                          std::span<const TensorUse> tensors,
                                                          const ScheduleBoundLimits& limits) {
    if (tensors.size() > limits.tensors) {
        return std::nullopt;
    }
    const Reachability order(graph);
    const auto spans = spans_of(tensors, order);
    auto pairs = next_pairs(spans, order, limits.pairs);
    if (!pairs) {
        return std::nullopt;
    }
    WeightedOrder weighted{{}, std::move(*pairs)};
    for (const Span& span : spans) {
        weighted.weights.push_back(tensors[span.tensor].size.count);
    }
    const Antichain heaviest = heaviest_antichain(weighted);
    ScheduleBound bound{{heaviest.weight}, {}, false};
    std::vector<const Span*> together;
    for (const std::size_t element : heaviest.elements) {
        together.push_back(&spans[element]);
        bound.tensors.push_back(spans[element].tensor);
    }
    std::ranges::sort(bound.tensors);
    bound.is_attained = in_use_together(together, order);
    return bound;
}

}  // namespace highwater
