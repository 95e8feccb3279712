#include "sim/driver/graph_memory_nodes.hpp"

#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/slow_order.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

namespace {

using namespace literals;
using Vertices = std::vector<GraphVertex>;

GraphVertex add_alloc(CaptureGraph& graph, const Vertices& before) {
    return append(graph, {.kind = NodeKind::kMemAlloc}, before);
}

GraphVertex add_free(CaptureGraph& graph, const Vertices& before) {
    return append(graph, {.kind = NodeKind::kMemFree}, before);
}

// A random graph in which some nodes allocate, and later ones that depend on them free.
struct RandomMemory {
    CaptureGraph graph;
    std::vector<GraphAllocation> allocations;
    std::vector<std::vector<bool>> reaches;

    explicit RandomMemory(std::uint64_t seed)
        : graph(random_graph({.nodes = 90, .most_before = 3, .reach = 9}, seed)),
          reaches(slow_order(graph)) {
        std::mt19937_64 random(seed);
        for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
            if (graph[node].kind == NodeKind::kKernel && random() % 2 == 0) {
                graph[node].kind = NodeKind::kMemAlloc;
                allocations.push_back({node, free_of(node), Bytes{1 + random() % 9}});
            }
        }
    }

    std::optional<GraphVertex> free_of(GraphVertex alloc) {
        for (GraphVertex node = alloc + 2; node < num_vertices(graph); ++node) {
            if (reaches[alloc][node] && graph[node].kind == NodeKind::kKernel) {
                graph[node].kind = NodeKind::kMemFree;
                return node;
            }
        }
        return std::nullopt;
    }

    bool is_over_before(const GraphAllocation& earlier, const GraphAllocation& later) const {
        return earlier.free && reaches[*earlier.free][later.alloc];
    }
};

}  // namespace

TEST_CASE("an allocation takes the place of one that was freed before it", "[memory_nodes]") {
    CaptureGraph graph;
    const GraphVertex a = add_alloc(graph, {});
    const GraphVertex freed = add_free(graph, {a});
    const GraphVertex b = add_alloc(graph, {freed});
    const auto layout = lay_out_memory_nodes(graph, {{a, freed, 8_MiB}, {b, {}, 6_MiB}});
    CHECK(layout.offsets == std::vector<Bytes>{0_B, 0_B});
    CHECK(layout.distinct_addresses() == 1);
    CHECK(layout.needed == 8_MiB);
}

TEST_CASE("a free on a branch that was not joined makes no room", "[memory_nodes]") {
    CaptureGraph graph;
    const GraphVertex a = add_alloc(graph, {});
    const GraphVertex freed = add_free(graph, {a});
    const GraphVertex b = add_alloc(graph, {a});
    const auto layout = lay_out_memory_nodes(graph, {{a, freed, 8_MiB}, {b, {}, 6_MiB}});
    CHECK(layout.offsets == std::vector<Bytes>{0_B, 8_MiB});
    CHECK(layout.needed == 14_MiB);
}

TEST_CASE("a gap serves what fits into it", "[memory_nodes]") {
    CaptureGraph graph;
    const GraphVertex a = add_alloc(graph, {});
    const GraphVertex b = add_alloc(graph, {a});
    const GraphVertex freed = add_free(graph, {b});
    const GraphVertex large = add_alloc(graph, {freed});
    const GraphVertex small = add_alloc(graph, {large});
    const auto layout = lay_out_memory_nodes(
        graph, {{a, freed, 4_MiB}, {b, {}, 4_MiB}, {large, {}, 5_MiB}, {small, {}, 4_MiB}});
    CHECK(layout.offsets == std::vector<Bytes>{0_B, 4_MiB, 8_MiB, 0_B});
}

TEST_CASE("a graph without memory nodes needs nothing", "[memory_nodes]") {
    const auto layout = lay_out_memory_nodes(chain(4), {});
    CHECK(layout.needed == 0_B);
    CHECK(layout.distinct_addresses() == 0);
}

TEST_CASE("allocations that may be alive at once never overlap", "[memory_nodes]") {
    const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{40}));
    INFO("seed " << seed);
    const RandomMemory random(seed);
    const auto& all = random.allocations;
    const auto layout = lay_out_memory_nodes(random.graph, all);
    bool has_reuse = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(layout.offsets[i] + all[i].size <= layout.needed);
        for (std::size_t j = 0; j < i; ++j) {
            const bool overlap = layout.offsets[j] < layout.offsets[i] + all[i].size &&
                                 layout.offsets[i] < layout.offsets[j] + all[j].size;
            CHECK((!overlap || random.is_over_before(all[j], all[i])));
            has_reuse = has_reuse || overlap;
        }
    }
    CHECK(has_reuse);
}

}  // namespace highwater
