#include "sim/report/time_tables.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/report/memory_csv.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/run_tables.hpp"
#include "tests/report/sample_run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;
using Catch::Matchers::Contains;

namespace {

Instant at(std::int64_t nanoseconds) {
    return Instant{Duration{nanoseconds}};
}

RunReport timed_run(std::uint32_t streams = 2, std::uint32_t graphs = 1) {
    RunReport run = sample_run();
    run.costs = CostSource{"made_up", "a card; driver 1", false};
    run.ledger.checkpoints[0].time = at(1'500);
    run.ledger.checkpoints[1].time = at(2'500'000);
    run.ledger.times = RunTimes{at(4'000'000), Duration{3'000'000}, Duration{500'000}, {}, {}};
    for (std::uint32_t i = 0; i < streams; ++i) {
        run.program_streams.push_back("s" + std::to_string(i));
        run.ledger.times->streams.push_back({StreamId{i}, Duration{1'000 * (i + 1)}});
    }
    for (std::uint32_t i = 0; i < graphs; ++i) {
        run.graphs.push_back("g" + std::to_string(i));
        GraphRow row;
        row.graph = GraphId{i};
        row.nodes = 1'000 + i;
        row.edges = 2'000;
        row.forks = i;
        row.joins = 3;
        row.width = 4 + i;
        row.is_width_exact = i % 2 == 0;
        row.capture_time = Duration{10'000};
        row.instantiate_time = Duration{20'000};
        row.replays = i % 2 == 0 ? 2U : 0U;
        row.critical_path = Duration{4'000 + i};
        row.replay_time = Duration{i % 2 == 0 ? 9'000 : 0};
        run.ledger.graphs.push_back(row);
    }
    return run;
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("what time went to is told with the busiest streams first", "[time_tables]") {
    CHECK(time_table(timed_run()) ==
          "what time went to                   time   share\n"
          "elapsed                          4.00 ms\n"
          "card busy                        3.00 ms  75.0 %\n"
          "  s1                             2.00 us   0.1 %\n"
          "  s0                             1.00 us   0.0 %\n"
          "card idle, nothing launched yet   500 us  12.5 %\n"
          "host waited                         0 ns   0.0 %\n");
    const std::string many = time_table(timed_run(20));
    CHECK_THAT(many, Contains("  s19 ") && Contains("  13 more streams") && !Contains("  s12 "));
    CHECK(lines(many) == 1 + 1 + 1 + 8 + 2);
    CHECK(time_table(sample_run()).empty());
}

TEST_CASE("graphs are told with their times, a dozen rows at most", "[time_tables]") {
    CHECK(graph_table(timed_run(1, 2)) ==
          "graph  nodes  edges  forks  joins  width  replays  captured in  instantiated in  "
          "per replay  critical path\n"
          "g0     1,000  2,000      0      3      4        2      10.0 us          20.0 us  "
          "   4.50 us        4.00 us\n"
          "g1     1,001  2,000      1      3   <= 5        0      10.0 us          20.0 us  "
          "         -        4.00 us\n");
    const std::string many = graph_table(timed_run(1, 30));
    CHECK(lines(many) == 1 + 12);
    CHECK_THAT(many, Contains("19 more graphs") && Contains("g10 ") && !Contains("g11 "));
    CHECK_THAT(many, Contains("<= 33"));
    RunReport timeless = timed_run();
    timeless.ledger.times.reset();
    CHECK(graph_table(timeless) ==
          "graph  nodes  edges  forks  joins  width  replays\n"
          "g0     1,000  2,000      0      3      4        2\n");
    CHECK(graph_table(sample_run()).empty());
}

TEST_CASE("a run with a cost profile shows its times and where they come from", "[time_tables]") {
    RunReport run = timed_run();
    run.measures.push_back({"step_ns", std::int64_t{1'720'000}});
    run.measures.push_back({"mean_ns", 1'719'999.6});
    const std::string text = run_tables(run);
    CHECK_THAT(text, Contains("checkpoint     time  allocated"));
    CHECK_THAT(text, Contains("before      1.50 us") && Contains("after       2.50 ms"));
    CHECK_THAT(text, Contains("(end)       4.00 ms"));
    CHECK_THAT(text, Contains("times are approximate, as measured on a card; driver 1"));
    CHECK_THAT(text, Contains("step_ns                1.72 ms   1,720,000"));
    CHECK_THAT(text, Contains("mean_ns                1.72 ms"));
    CHECK_THAT(text, !Contains("the device is another"));
    run.costs->is_of_another_card = true;
    CHECK_THAT(run_tables(run), Contains("the device is another"));
}

TEST_CASE("the JSON of a run has its times", "[json]") {
    const nlohmann::ordered_json json = run_json(timed_run(1, 2));
    CHECK(json["checkpoints"][1]["time_ns"] == 2'500'000);
    CHECK(json["result"]["elapsed_ns"] == 4'000'000);
    CHECK(json["result"]["card_busy_ns"] == 3'000'000);
    CHECK(json["streams"] == nlohmann::ordered_json{{{"stream", "s0"}, {"busy_ns", 1'000}}});
    CHECK(json["graphs"][0] == nlohmann::ordered_json{{"graph", "g0"},
                                                      {"nodes", 1'000},
                                                      {"edges", 2'000},
                                                      {"forks", 0},
                                                      {"joins", 3},
                                                      {"width", 4},
                                                      {"is_width_exact", true},
                                                      {"critical_path_ns", 4'000},
                                                      {"driver_bytes", 0},
                                                      {"capture_ns", 10'000},
                                                      {"instantiate_ns", 20'000},
                                                      {"replays", 2},
                                                      {"replay_ns", 4'500}});
    CHECK(json["graphs"][1]["replay_ns"].is_null());
    CHECK(json["notices"][0] ==
          "times are approximate: cost profile made_up, measured on a card; driver 1");
}

TEST_CASE("the JSON of a run without a cost profile says that no time passes", "[json]") {
    const nlohmann::ordered_json json = run_json(sample_run());
    CHECK(json["streams"].is_null());
    CHECK(json["graphs"] == nlohmann::ordered_json::array());
    CHECK(json["notices"][0] ==
          "no cost profile, so no time passes: time_ns and elapsed_ns are null");
}

TEST_CASE("an error of CUDA is told with its number, its name and what to do", "[failure]") {
    const Failure error{Failure::Kind::kPyTorchError,
                        3,
                        "work is unjoined",
                        CudaError::kStreamCaptureUnjoined,
                        "join it",
                        "t"};
    const FailedOperation place{"end_capture g", SourcePlace{"s.yaml", 7, 9}, {}, {}};
    RunReport run = sample_run();
    run.ledger.caught = {error};
    run.caught = {place};
    CHECK(caught_text(run) ==
          "s.yaml:7:9: `t` caught: end_capture g: work is unjoined "
          "(cudaErrorStreamCaptureUnjoined, 904); join it\n");
    CHECK_THAT(run_tables(run), Contains(caught_text(run)));
    run.ledger.failure = error;
    run.failed = place;
    CHECK_THAT(failure_text(run),
               Contains("work is unjoined (cudaErrorStreamCaptureUnjoined, 904); join it"));
    const nlohmann::ordered_json json = run_json(run);
    CHECK(json["caught"][0]["try"] == "t");
    for (const auto& each : {json["failure"], json["caught"][0]}) {
        CHECK(each["cuda_error"]["number"] == 904);
        CHECK(each["cuda_error"]["name"] == "cudaErrorStreamCaptureUnjoined");
        CHECK(each["remedy"] == "join it");
        CHECK(each["line"] == 7);
    }
}

TEST_CASE("padding is told in time where it is known", "[time_tables]") {
    RunReport run = timed_run();
    run.served = {{2, 1, 1, 1, "graph[2]"}, {std::nullopt, 1, 9, 0, ""}};
    run.padding_times = {Duration{12'300}, std::nullopt};
    CHECK_THAT(run_tables(run),
               Contains("bucket  batches  rows  padding  wasted  time wasted\n"
                        "2             1     1        1  50.0 %      12.3 us\n"
                        "eager         1     9        0   0.0 %            -\n"));
    const nlohmann::ordered_json json = run_json(run);
    CHECK(json["served"][0]["padding_ns"] == 12'300);
    CHECK(json["served"][1]["padding_ns"].is_null());
}

TEST_CASE("memory against time is a line for each change", "[csv]") {
    Ledger ledger;
    ledger.memory = {{at(0), 1_B, 2_B, 3_B}, {at(50), 4_B, 5_B, 6_B}};
    CHECK(memory_csv(ledger) ==
          "time_ns,allocated_bytes,active_bytes,reserved_bytes\n0,1,2,3\n50,4,5,6\n");
}
