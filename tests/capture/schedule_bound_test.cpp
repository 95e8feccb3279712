#include "sim/capture/schedule_bound.hpp"

#include <algorithm>
#include <random>

#include <boost/range/iterator_range.hpp>

#include "sim/capture/lifetimes.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/slow_order.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

Bytes bound_of(const CaptureGraph& graph, const std::vector<TensorUse>& tensors) {
    const auto bound = largest_live_in_any_schedule(graph, tensors);
    REQUIRE(bound);
    return bound->bytes;
}

std::vector<TensorUse> random_tensors(std::size_t tensors,
                                      std::size_t nodes,
                                      std::size_t most_uses,
                                      std::mt19937_64& random) {
    constexpr std::uint64_t kLargest = 9;
    std::vector<TensorUse> all;
    for (std::size_t i = 0; i < tensors; ++i) {
        TensorUse tensor{Bytes{random() % kLargest}, {}};
        const std::size_t uses = 1 + random() % most_uses;
        for (std::size_t use = 0; use < uses; ++use) {
            tensor.nodes.push_back(random() % nodes);
        }
        all.push_back(tensor);
    }
    return all;
}

using Order = std::vector<std::vector<bool>>;

bool is_over_before(const TensorUse& a, const TensorUse& b, const Order& order) {
    return std::ranges::all_of(a.nodes, [&](GraphVertex from) {
        return std::ranges::all_of(b.nodes, [&](GraphVertex to) { return order[from][to]; });
    });
}

// Sets of tensors of which none is over before another, by trying every set.
Bytes slow_bound(const CaptureGraph& graph, const std::vector<TensorUse>& tensors) {
    const Order order = slow_order(graph);
    Bytes most;
    for (std::size_t set = 0; set < std::size_t{1} << tensors.size(); ++set) {
        std::vector<const TensorUse*> chosen;
        Bytes sum;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (((set >> i) & 1) != 0) {
                chosen.push_back(&tensors[i]);
                sum += tensors[i].size;
            }
        }
        const bool is_free = std::ranges::all_of(chosen, [&](const TensorUse* a) {
            return std::ranges::none_of(
                chosen, [&](const TensorUse* b) { return is_over_before(*a, *b, order); });
        });
        most = is_free ? std::max(most, sum) : most;
    }
    return most;
}

// What is in use when the nodes of `ended` have ended and all that may start has.
Bytes live_at(const CaptureGraph& graph,
              const std::vector<TensorUse>& tensors,
              const std::vector<bool>& ended) {
    const auto may_start = [&](GraphVertex node) {
        const auto edges = boost::make_iterator_range(in_edges(node, graph));
        return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
            return ended[source(edge, graph)];
        });
    };
    Bytes live;
    for (const TensorUse& tensor : tensors) {
        if (std::ranges::any_of(tensor.nodes, may_start) &&
            !std::ranges::all_of(tensor.nodes, [&](GraphVertex node) { return ended[node]; })) {
            live += tensor.size;
        }
    }
    return live;
}

// The schedule that runs one node after the other as captured.
std::vector<Lifetime> in_order_of_capture(const std::vector<TensorUse>& tensors) {
    std::vector<Lifetime> lifetimes;
    for (const TensorUse& tensor : tensors) {
        const auto [first, last] = std::ranges::minmax(tensor.nodes);
        lifetimes.push_back({lifetimes.size(), first, last + 1, tensor.size});
    }
    return lifetimes;
}

bool may_have_ended(const CaptureGraph& graph, const std::vector<bool>& ended) {
    const auto all = boost::make_iterator_range(edges(graph));
    return std::all_of(all.begin(), all.end(), [&](const auto& edge) {
        return ended[source(edge, graph)] || !ended[target(edge, graph)];
    });
}

// The most in use at any moment of any schedule, by trying every moment.
Bytes slow_largest_live(const CaptureGraph& graph, const std::vector<TensorUse>& tensors) {
    const std::size_t nodes = num_vertices(graph);
    Bytes most;
    for (std::size_t set = 0; set < std::size_t{1} << nodes; ++set) {
        std::vector<bool> ended(nodes);
        for (std::size_t node = 0; node < nodes; ++node) {
            ended[node] = ((set >> node) & 1) != 0;
        }
        if (may_have_ended(graph, ended)) {
            most = std::max(most, live_at(graph, tensors, ended));
        }
    }
    return most;
}

}  // namespace

TEST_CASE("tensors of one stream follow each other as the program has them", "[bounds]") {
    const auto graph = chain(4);
    CHECK(bound_of(graph, {{4_MiB, {0, 1}}, {2_MiB, {2, 3}}}) == 4_MiB);
    // A node reads one and writes the other.
    CHECK(bound_of(graph, {{4_MiB, {0, 1}}, {2_MiB, {1, 3}}}) == 6_MiB);
}

TEST_CASE("branches may run together, whatever order the program has them in", "[bounds]") {
    // Side, main, join; side, main, join.
    const auto graph = fork_join(2, 1, 1);
    CHECK(bound_of(graph, {{4_MiB, {0}}, {2_MiB, {1}}}) == 6_MiB);
    CHECK(bound_of(graph, {{4_MiB, {0}}, {2_MiB, {1}}, {5_MiB, {3}}}) == 6_MiB);
    CHECK(bound_of(graph, {{4_MiB, {0}}, {2_MiB, {1}}, {7_MiB, {3}}}) == 7_MiB);
}

TEST_CASE("tensors without nodes are never in use", "[bounds]") {
    const auto bound =
        largest_live_in_any_schedule(chain(1), std::vector<TensorUse>{{4_MiB, {}}, {1_MiB, {0}}});
    REQUIRE(bound);
    CHECK(bound->bytes == 1_MiB);
    CHECK(bound->tensors == std::vector<std::size_t>{1});
    CHECK(largest_live_in_any_schedule({}, {})->bytes == 0_B);
}

TEST_CASE("two readers on two streams can keep apart what no schedule has together", "[bounds]") {
    // b is read by 1 and by 2. a begins once 1 has ended, c once 2 has: each may be in use with b,
    // and with each other, but all three never are.
    CaptureGraph graph;
    append(graph, {}, {});
    append(graph, {}, {0});
    append(graph, {}, {0});
    append(graph, {}, {1});
    append(graph, {}, {2});
    const std::vector<TensorUse> tensors{{1_MiB, {3}}, {1_MiB, {0, 1, 2}}, {1_MiB, {4}}};
    const auto bound = largest_live_in_any_schedule(graph, tensors);
    REQUIRE(bound);
    CHECK(bound->bytes == 3_MiB);
    CHECK_FALSE(bound->is_attained);
    CHECK(slow_largest_live(graph, tensors) == 2_MiB);
}

TEST_CASE("beyond the limits there is no bound", "[bounds]") {
    const auto graph = chain(3);
    const std::vector<TensorUse> tensors{{1_B, {0}}, {1_B, {1}}, {1_B, {2}}};
    CHECK(largest_live_in_any_schedule(graph, tensors, {.tensors = 3, .pairs = 2}));
    CHECK_FALSE(largest_live_in_any_schedule(graph, tensors, {.tensors = 2, .pairs = 2}));
    CHECK_FALSE(largest_live_in_any_schedule(graph, tensors, {.tensors = 3, .pairs = 1}));
}

TEST_CASE("the bound is the heaviest set of tensors none of which is over before another",
          "[bounds][property]") {
    const std::size_t nodes = 10;
    const auto most_uses = GENERATE(1U, 2U, 4U);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto graph = random_graph({.nodes = nodes, .most_before = 2, .reach = 4}, seed);
        std::mt19937_64 random(seed);
        const auto tensors = random_tensors(9, nodes, most_uses, random);
        INFO("up to " << most_uses << " uses, seed " << seed);
        const auto bound = largest_live_in_any_schedule(graph, tensors);
        REQUIRE(bound);
        CHECK(bound->bytes == slow_bound(graph, tensors));
        std::vector<TensorUse> named;
        for (const std::size_t tensor : bound->tensors) {
            named.push_back(tensors[tensor]);
        }
        CHECK(slow_bound(graph, named) == bound->bytes);
    }
}

TEST_CASE("no moment of any schedule needs more, and some needs what is attained",
          "[bounds][property]") {
    const std::size_t nodes = 10;
    const auto most_uses = GENERATE(1U, 2U, 4U);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto graph = random_graph({.nodes = nodes, .most_before = 2, .reach = 4}, seed);
        std::mt19937_64 random(seed);
        const auto tensors = random_tensors(9, nodes, most_uses, random);
        INFO("up to " << most_uses << " uses, seed " << seed);
        const auto bound = largest_live_in_any_schedule(graph, tensors);
        REQUIRE(bound);
        const Bytes most = slow_largest_live(graph, tensors);
        CHECK(bound->bytes >= most);
        CHECK((!bound->is_attained || bound->bytes == most));
        CHECK((bound->is_attained || most_uses > 1));
        CHECK(largest_live(in_order_of_capture(tensors)) <= most);
    }
}

}  // namespace highwater
