// What instantiated graphs take, against an H200.
#include <map>

#include <fmt/format.h>

#include "sim/capture/graph_shape.hpp"
#include "sim/driver/graph_exec_memory.hpp"
#include "tests/driver/recorded_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_shapes.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater::test {

namespace {

using nlohmann::json;
using namespace literals;

constexpr double kLeastShare = 0.9;
constexpr ErrorBar kRowError{4_MiB, 0.15};

GraphExecMemory empty_process() {
    const MemoryProfile& memory = recorded_profile().memory;
    return {memory.graphs, memory.granularity};
}

// Of the row `graphmem`.
CaptureGraph graph_of(const json& row) {
    const auto count = [&](const char* key) { return row.at(key).get<std::size_t>(); };
    const std::string shape = row.at("shape");
    if (shape == "fork") {
        return fork_join(count("layers"), count("per"), count("width"));
    }
    return shape == "memset" ? memset_chain(count("per")) : chain(count("per"));
}

// A layer of the row `graph` is a side kernel, a main one and one that joins them.
CaptureGraph graph_of_layers(std::size_t branches, std::size_t nodes) {
    constexpr std::size_t kLayer = 3;
    return branches == 1 ? chain(nodes) : fork_join(nodes / kLayer, 1, 1);
}

// Kernels on the main stream, a branch of kernels beside others, and kernels that join them.
CaptureGraph graph_of_branches(const json& row) {
    const auto count = [&](const char* key) { return row.at(key).get<std::size_t>(); };
    CaptureGraph graph;
    const auto run = [&](std::size_t nodes, NodeKind kind, std::vector<GraphVertex> before) {
        for (std::size_t i = 0; i < nodes; ++i) {
            before = {append(graph, {.kind = kind}, before)};
        }
        return before;
    };
    std::vector<GraphVertex> main;
    std::vector<GraphVertex> side;
    for (std::size_t layer = 0; layer < count("layers"); ++layer) {
        main = run(count("before"), NodeKind::kKernel, main);
        std::vector<GraphVertex> fork = main;
        if (row.at("one_side_stream")) {
            fork.insert(fork.end(), side.begin(), side.end());
        }
        side = run(count("side"), NodeKind::kKernel, fork);
        main = run(count("main") - count("memsets"), NodeKind::kKernel, main);
        main = run(count("memsets"), NodeKind::kMemset, main);
        main.insert(main.end(), side.begin(), side.end());
        main = run(count("after"), NodeKind::kKernel, main);
    }
    run(count("tail"), NodeKind::kKernel, main);
    return graph;
}

// Of a step of a sequence.
CaptureGraph graph_of_step(const json& row) {
    const std::string shape = row.at("shape");
    if (shape == "layers") {
        return graph_of_branches(row);
    }
    static const std::map<std::string, NodeKind> kKinds{{"chain", NodeKind::kKernel},
                                                        {"half_memset", NodeKind::kKernel},
                                                        {"memcpy", NodeKind::kMemcpy},
                                                        {"memset", NodeKind::kMemset},
                                                        {"host", NodeKind::kHost},
                                                        {"event", NodeKind::kEmpty},
                                                        {"empty", NodeKind::kEmpty},
                                                        {"empty_unordered", NodeKind::kEmpty}};
    CaptureGraph graph = chain(row.at("nodes"));
    for (GraphVertex node = 0; node < num_vertices(graph); ++node) {
        const bool is_other = shape == "half_memset" && node % 2 == 0;
        graph[node].kind = is_other ? NodeKind::kMemset : kKinds.at(shape);
    }
    return graph;
}

// A decoder whose layers have a branch each on one shared side stream, or none.
CaptureGraph graph_of_model(const json& args, const json& row) {
    const std::size_t kernels = row.at("kinds").at("0");
    if (!args.contains("moe")) {
        return chain(kernels);
    }
    constexpr std::size_t kPer = 20;
    const std::size_t layers = std::stoul(args.at("layers").get<std::string>());
    return fork_join(layers, kPer, 1, kernels - layers * (kPer + kPer + 1));
}

// Graphs alive one after the other: what each took beyond those before it.
class Process {
  public:
    Bytes take(const CaptureGraph& graph) {
        const Bytes before = memory_.taken();
        alive_.push_back(GraphExecId{next_++});
        memory_.instantiate(alive_.back(), exec_shape_of(graph));
        return memory_.taken() - before;
    }
    void destroy_all() {
        for (const GraphExecId graph : alive_) {
            memory_.destroy(graph);
        }
        alive_.clear();
    }
    Bytes taken() const { return memory_.taken(); }

  private:
    GraphExecMemory memory_ = empty_process();
    std::vector<GraphExecId> alive_;
    std::uint64_t next_ = 0;
};

}  // namespace

TEST_CASE("graphs of 48 shapes, each in its own process, take what was measured", "[measured]") {
    Score score(kRowError);
    for (const json& row : recorded_rows("graph-memory.jsonl")) {
        const CaptureGraph graph = graph_of(row);
        REQUIRE(num_vertices(graph) == row.at("nodes"));
        Process process;
        for (int i = 0; i < row.at("copies"); ++i) {
            process.take(graph);
        }
        score.add(row.dump(), process.taken(), bytes_in(row, "bytes"));
    }
    WARN(score.text());
    CHECK(score.share_met() >= kLeastShare);
}

TEST_CASE("graphs in one process use again what destroyed ones left", "[measured]") {
    Score score(kRowError);
    Process process;
    for (const json& row : recorded_rows("driver.jsonl", "graph")) {
        const Bytes taken = process.take(graph_of_layers(row.at("branches"), row.at("nodes")));
        process.destroy_all();
        score.add(row.dump(), taken, bytes_in(row, "mem_instantiate"));
    }
    WARN(score.text());
    CHECK(score.share_met() >= kLeastShare);

    const json alive = recorded_rows("driver.jsonl", "graphs_alive").at(0);
    const CaptureGraph graph = chain(alive.at("nodes_each"));
    for (const json& measured : alive.at("delta")) {
        CHECK(process.take(graph) == Bytes{measured.get<std::uint64_t>()});
    }
}

TEST_CASE("sequences of graphs of many shapes take what was measured", "[measured]") {
    // What larger parameters cost is not modelled.
    constexpr std::size_t kMostParameters = 1024;
    Score score(kRowError);
    for (const json& sequence : recorded_rows("graph-sequences.jsonl")) {
        Process process;
        for (const json& step : sequence.at("steps")) {
            if (step.at("do") == "destroy_all") {
                process.destroy_all();
                continue;
            }
            const CaptureGraph graph = graph_of_step(step);
            const Bytes before = process.taken();
            for (int i = 0; i < step.at("copies"); ++i) {
                process.take(graph);
            }
            if (step.value("parameter_bytes", std::size_t{0}) <= kMostParameters) {
                score.add(step.dump(),
                          process.taken() - before,
                          1_MiB * step.at("mib").get<std::uint64_t>());
            }
        }
    }
    WARN(score.text());
    CHECK(score.share_met() >= kLeastShare);
}

TEST_CASE("graphs of real models take what was measured, in sum within 30 %", "[measured]") {
    constexpr double kSumError = 0.3;
    double predicted = 0;
    double measured = 0;
    Score score(kRowError);
    for (const json& run : recorded_rows("real-graphs.jsonl")) {
        Process process;
        for (const json& row : run.at("rows")) {
            const CaptureGraph graph = graph_of_model(run.at("args"), row);
            REQUIRE(shape_of(graph).joins == row.at("joins"));
            const Bytes taken = process.take(graph);
            predicted += static_cast<double>(taken.count);
            measured += row.at("driver_instantiate").get<double>();
            score.add(row.dump(), taken, bytes_in(row, "driver_instantiate"));
        }
    }
    WARN(fmt::format("sum {} B, measured {} B; {}", predicted, measured, score.text()));
    CHECK(predicted == Approx(measured).epsilon(kSumError));
    CHECK(score.share_met() >= kLeastShare);
}

}  // namespace highwater::test
