// The trace of a run: valid JSON whose slices are the run's own times.
#include "sim/report/perfetto_trace.hpp"

#include <map>

#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/report/trace_reading.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace literals;

namespace {

using trace_reading::events;
using trace_reading::Json;
using trace_reading::misplaced;
using trace_reading::names;
using trace_reading::ns;
using trace_reading::track_name;

constexpr int kHost = 1;
constexpr int kStreams = 2;
constexpr int kNodes = 3;
constexpr int kMemory = 4;

// With the sanitizers it would take most of the time of all tests here.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* kLongRun = "cases/d03_fixed_cost_per_graph";
#else
constexpr const char* kLongRun = "kv_contention";
#endif

Json trace_of(const Program& program, const std::optional<CostProfile>& costs) {
    std::string text;
    write_perfetto_trace(program, costs, [&](std::string_view piece) { text += piece; });
    return Json::parse(text);
}

// What slices of each stream's track add up to, waits left out.
std::map<std::size_t, std::int64_t> busy(const Json& trace) {
    std::map<std::size_t, std::int64_t> sums;
    for (const Json& event : events(trace, kStreams, "X")) {
        if (event["name"] != "wait") {
            sums[event["tid"].get<std::size_t>()] += ns(event["dur"]);
        }
    }
    return sums;
}

std::map<std::size_t, std::int64_t> busy(const Ledger& ledger) {
    std::map<std::size_t, std::int64_t> sums;
    for (const StreamTime& row : ledger.times.value().streams) {
        sums[index_of(row.stream)] = row.busy.count();
    }
    return sums;
}

Json last_counter(const Json& trace, const std::string& name) {
    return trace_reading::last_counters(trace, kMemory)[name];
}

CostProfile profile() {
    return find_cost_profile("h200-cuda13").value();
}

// Two streams, the second after the first; then the same in a graph that runs twice.
Program forked() {
    return parse_program(R"(highwater-program 1
machine total_memory 1073741824
stream default handle 0x0
stream a handle 0x10
stream b handle 0x20
tensor x
tensor y
event e
event f
event h
graph g
alloc x 33554432 on a
kernel on a for 50000 writes x
record_event e on a
wait_event e on b
kernel on b for 20000 reads x
record_event e on b
wait_event e on a
begin_capture g on a
kernel on a for 10000 writes x
record_event f on a
wait_event f on b
alloc y 4194304 on b
kernel on b for 30000 reads x writes y
free y
record_event h on b
wait_event h on a
end_capture g
replay g on a
replay g on a
synchronize
checkpoint done
)",
                         "forked");
}

}  // namespace

TEST_CASE("a trace has threads, streams, nodes and memory on tracks of their own", "[trace]") {
    const Program program = forked();
    const Json trace = trace_of(program, profile());
    CHECK(misplaced(trace).empty());
    CHECK(track_name(trace, kStreams, 1) == "a");
    CHECK(names(events(trace, kStreams, "X")) ==
          std::vector<std::string>{"kernel x", "wait", "kernel", "wait", "replay g", "replay g"});
    CHECK(names(events(trace, kNodes, "X")) ==
          std::vector<std::string>{"kernel x", "kernel y", "kernel x", "kernel y"});
    const auto host = names(events(trace, kHost, "X"));
    CHECK(std::ranges::count(host, "cudaMalloc") == 3);
    CHECK(std::ranges::count(host, "capture g") == 1);
    CHECK(names(events(trace, kHost, "i")) == std::vector<std::string>{"done"});
    CHECK(trace["otherData"]["time"] == "simulated, cost profile h200-cuda13");
}

TEST_CASE("slices of a stream add up to the time it was at work", "[trace]") {
    const Program program = forked();
    const CostProfile costs = profile();
    CHECK(busy(trace_of(program, costs)) == busy(run(program, {.costs = &costs})));
}

TEST_CASE("a capture's slice goes from its beginning to its end", "[trace]") {
    const Program program = forked();
    const CostProfile costs = profile();
    const Json trace = trace_of(program, costs);
    for (const Json& event : events(trace, kHost, "X")) {
        if (event["name"] == "capture g") {
            const Ledger ledger = run(program, {.costs = &costs});
            const Duration both =
                ledger.graphs.front().capture_time + ledger.graphs.front().instantiate_time;
            CHECK(ns(event["dur"]) >= both.count());
            CHECK(track_name(trace, kHost, event["tid"]) == "captures by main");
        }
    }
}

TEST_CASE("the last of a pool's counters is what the pool ends with", "[trace]") {
    const Program program = forked();
    const Ledger ledger = run(program);
    const Json trace = trace_of(program, std::nullopt);
    for (const PoolRow& pool : ledger.pools) {
        const std::string name = pool.id == kDefaultPoolId ? "default" : "g (1, 0)";
        CHECK(last_counter(trace, name)["reserved"] == pool.reserved.count);
        CHECK(last_counter(trace, name)["allocated"] == pool.allocated.count);
    }
}

TEST_CASE("without a cost profile operation n takes the microsecond n", "[trace]") {
    const Program program = forked();
    const Json trace = trace_of(program, std::nullopt);
    CHECK(misplaced(trace).empty());
    for (const Json& event : events(trace, kHost, "X")) {
        if (event.contains("args") && event["args"].contains("op")) {
            CHECK(ns(event["ts"]) == event["args"]["op"].get<std::int64_t>() * 1000);
            CHECK(ns(event["dur"]) == 1000);
        }
    }
    CHECK(events(trace, kNodes, "X").empty());
    CHECK(trace["otherData"]["time"].get<std::string>().starts_with("logical"));
}

TEST_CASE("out of memory, what is refused and hazards are instants of the thread", "[trace]") {
    Program program = forked();
    // Without a cost profile, so that the driver takes nothing of it.
    program.machine.total_memory = 34_MiB;
    const Json out = trace_of(program, std::nullopt);
    CHECK(misplaced(out).empty());
    CHECK(names(events(out, kHost, "i")) == std::vector<std::string>{"out of memory"});
    // The capture was under way.
    const auto slices = events(out, kHost, "X");
    const auto capture = std::ranges::find(
        slices, Json("capture g"), [](const Json& event) { return event["name"]; });
    REQUIRE(capture != slices.end());
    CHECK((*capture)["args"]["ended"] == "never");

    program = parse_program(R"(highwater-program 1
machine total_memory 1073741824
stream default handle 0x0
stream a handle 0x10
tensor x
graph g
alloc x 4194304 on default
kernel on a writes x
kernel on default reads x
begin_capture g on default
)",
                            "refused");
    CHECK(names(events(trace_of(program, std::nullopt), kHost, "i")) ==
          std::vector<std::string>{"hazard: unordered", "refused"});
}

TEST_CASE("nodes of the stream on which PyTorch frees have a track that says so", "[trace]") {
    const Program program = parse_program(R"(highwater-program 1
machine total_memory 1073741824 conf "backend:cudaMallocAsync"
stream default handle 0x0
stream a handle 0x10
stream b handle 0x20
tensor x
event fork
graph g
begin_capture g on a
record_event fork on a
wait_event fork on b
alloc x 8388608 on b
record_stream x on a
free x
end_capture g
replay g on b
)",
                                          "async");
    const Json trace = trace_of(program, find_cost_profile("h200-cuda13"));
    CHECK(misplaced(trace).empty());
    const auto nodes = events(trace, kNodes, "X");
    const auto freed = std::ranges::find_if(nodes, [&](const Json& node) {
        return track_name(trace, kNodes, node["tid"]) == "of PyTorch, replayed on b";
    });
    CHECK(freed != nodes.end());
}

TEST_CASE("the counters of a pool whose cudaFree is refused stay", "[trace]") {
    const Program program = parse_program(R"(highwater-program 1
machine total_memory 1073741824
stream default handle 0x0
stream a handle 0x10
stream b handle 0x20
tensor x
graph g
graph h
begin_capture g on a
alloc x 4194304 on a
end_capture g
free x
destroy_graph g
begin_capture h on b
try t
empty_cache
end_try
)",
                                          "refused");
    const Json trace = trace_of(program, std::nullopt);
    const auto counters = events(trace, kMemory, "C");
    const auto last = std::find_if(counters.rbegin(), counters.rend(), [](const Json& event) {
        return event["name"].get<std::string>().starts_with("g ");
    });
    REQUIRE(last != counters.rend());
    CHECK((*last)["args"]["reserved"] == (20_MiB).count);
    CHECK((*last)["args"]["allocated"] == 0);
}

TEST_CASE("overlapping captures are on tracks of their own", "[trace]") {
    const Program program = parse_program(R"(highwater-program 1
machine total_memory 1073741824
stream default handle 0x0
stream a handle 0x10
stream b handle 0x20
graph g
graph h
graph k
begin_capture g on a mode relaxed
begin_capture h on b mode relaxed
end_capture g
begin_capture k on a mode relaxed
end_capture h
end_capture k
)",
                                          "overlapping");
    const Json trace = trace_of(program, std::nullopt);
    CHECK(misplaced(trace).empty());
    std::map<std::string, int> tracks;
    for (const Json& event : events(trace, kHost, "X")) {
        if (event["name"].get<std::string>().starts_with("capture ")) {
            tracks[event["name"]] = event["tid"];
        }
    }
    CHECK(tracks["capture g"] == tracks["capture k"]);
    CHECK(tracks["capture g"] != tracks["capture h"]);
}

TEST_CASE("names of any kind leave the trace valid", "[trace]") {
    Program program = forked();
    program.streams[1].name = "a \"quoted\" \\ \n\t \xff name";
    program.tensors[0] = std::string("\0x", 2);
    CHECK(misplaced(trace_of(program, profile())).empty());
}

TEST_CASE("traces of the library's scenarios are as viewers want them, and add up", "[trace]") {
    const std::string file = GENERATE(as<std::string>{},
                                      "aux_streams",
                                      "expandable_serving",
                                      "fsdp_run_ahead",
                                      "moe_shared_experts",
                                      "record_stream_capture",
                                      "shared_stream_costs_time",
                                      "breakable_prefill",
                                      kLongRun);
    INFO(file);
    const std::string path = HIGHWATER_SOURCE_DIR "/scenarios/" + file + ".yaml";
    const Scenario scenario = load_scenario(read_scenario_file(path), path, read_scenario_file);
    const Program program = lower(scenario, resolve_parameters(scenario, {})).program;
    const CostProfile costs = scenario.machine.costs.value_or(profile());
    const Json trace = trace_of(program, costs);
    const Ledger ledger = run(program, {.costs = &costs});
    CHECK(misplaced(trace).empty());
    CHECK(busy(trace) == busy(ledger));
    CHECK(misplaced(trace_of(program, std::nullopt)).empty());
    for (const PoolRow& pool : ledger.pools) {
        if (pool.high_water > Bytes{0}) {
            const std::string name = pool.id == kDefaultPoolId
                                         ? "default"
                                         : pool.name + " (" + std::to_string(pool.id.first) + ", " +
                                               std::to_string(pool.id.second) + ")";
            CHECK(last_counter(trace, name)["reserved"] == pool.reserved.count);
            CHECK(last_counter(trace, name)["allocated"] == pool.allocated.count);
        }
    }
}

}  // namespace highwater
