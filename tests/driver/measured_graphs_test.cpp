// What instantiated graphs take, against an H200.
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
        memory_.instantiate(GraphExecId{next_++}, exec_shape_of(graph));
        return memory_.taken() - before;
    }
    void destroy_last() { memory_.destroy(GraphExecId{next_ - 1}); }
    Bytes taken() const { return memory_.taken(); }

  private:
    GraphExecMemory memory_ = empty_process();
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
        process.destroy_last();
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
