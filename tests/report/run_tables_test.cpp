#include "sim/report/run_tables.hpp"

#include "sim/report/finding_tables.hpp"
#include "tests/report/sample_run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;

TEST_CASE("a run for people has its parameters, checkpoints, pools and measures", "[tables]") {
    REQUIRE(run_tables(sample_run()) == R"(sample
with layers 32, mode per-layer

checkpoint  allocated  reserved   active  inactive split  peak allocated  peak reserved  segments
before        1.0 MiB  20.0 MiB  3.0 MiB         5.0 MiB         2.0 MiB       22.0 MiB         1
after         2.0 MiB  40.0 MiB  6.0 MiB        10.0 MiB         4.0 MiB       44.0 MiB         2
(end)         3.0 MiB  60.0 MiB  9.0 MiB        15.0 MiB         6.0 MiB       66.0 MiB         3

pool and its streams      id  reserved  high water  allocated
default               (0, 0)   2.0 MiB     4.0 MiB    1.0 MiB
  default                      2.0 MiB     4.0 MiB
graphs                (0, 1)  58.0 MiB    60.0 MiB        0 B
  aux[0], capture             58.0 MiB    60.0 MiB

measure                  value     exactly
reserved_delta_bytes  20.0 MiB  20,971,520
ratio                      2.5         2.5
)");
}

TEST_CASE("a run that failed ends with the place and the reason", "[tables]") {
    REQUIRE_THAT(run_tables(sample_failure()),
                 Catch::Matchers::EndsWith("\n\nsample.yaml:7:9: the program would stop here: "
                                           "alloc x on stream s (3 B): no room for 3 B\n"));
    RunReport run = sample_failure();
    run.failed->place->column = 0;
    REQUIRE_THAT(failure_text(run), Catch::Matchers::StartsWith("sample.yaml:7: the program"));
    run.failed->place.reset();
    REQUIRE(failure_text(run) ==
            "operation 12: the program would stop here: alloc x on stream s (3 B): "
            "no room for 3 B\n");
}

TEST_CASE("a run whose peaks were reset says from where they count", "[tables]") {
    RunReport run = sample_run();
    REQUIRE_THAT(run_tables(run), !Catch::Matchers::ContainsSubstring("reset_peaks"));
    run.were_peaks_reset = true;
    REQUIRE_THAT(run_tables(run),
                 Catch::Matchers::EndsWith("2.5\n\npeaks count from the last reset_peaks\n"));
}

TEST_CASE("reserved memory without segments is explained", "[tables]") {
    RunReport run = sample_run();
    const std::string note = "\n\nexpandable segments are not counted as segments, as in PyTorch\n";
    REQUIRE_THAT(run_tables(run), !Catch::Matchers::ContainsSubstring(note));
    run.ledger.checkpoints.front().stats.segment.all.current = 0;
    REQUIRE_THAT(run_tables(run), Catch::Matchers::EndsWith(note));
    run.ledger.checkpoints.front().stats.reserved_bytes.all.current = 0;
    REQUIRE_THAT(run_tables(run), !Catch::Matchers::ContainsSubstring(note));
}

TEST_CASE("a pool's streams beyond the eighth are summed up, the largest come first", "[tables]") {
    RunReport run;
    run.ledger.pools = {{{0, 1}, "graphs", 45_MiB, 45_MiB, 0_B, {}}};
    for (std::uint32_t i = 0; i < 8; ++i) {
        run.streams.push_back({"s" + std::to_string(i)});
        run.ledger.pools[0].streams.push_back({StreamId{i}, 1_MiB * (i + 1), 1_MiB * (i + 1)});
    }
    REQUIRE_THAT(run_tables(run), Catch::Matchers::ContainsSubstring("\n  s0  "));
    run.streams.push_back({"s8"});
    run.ledger.pools[0].streams.push_back({StreamId{8}, 9_MiB, 9_MiB});
    REQUIRE_THAT(run_tables(run), Catch::Matchers::EndsWith(R"(
graphs                (0, 1)  45.0 MiB    45.0 MiB        0 B
  s8                           9.0 MiB     9.0 MiB
  s7                           8.0 MiB     8.0 MiB
  s6                           7.0 MiB     7.0 MiB
  s5                           6.0 MiB     6.0 MiB
  s4                           5.0 MiB     5.0 MiB
  s3                           4.0 MiB     4.0 MiB
  s2                           3.0 MiB     3.0 MiB
  2 more streams               3.0 MiB     3.0 MiB
)"));
}

TEST_CASE("a measure is a size if its name says so", "[tables]") {
    REQUIRE(measure_text({"reserved_delta_bytes", std::int64_t{-1} << 20}) == "-1.0 MiB");
    REQUIRE(measure_text({"unique_addresses", std::int64_t{1} << 20}) == "1,048,576");
    REQUIRE(measure_text({"share_bytes", 0.25}) == "0.25");
}

TEST_CASE("what a scenario says of itself is broken into lines that fit a page", "[tables]") {
    RunReport run;
    run.scenario = "sample";
    run.description =
        std::string(60, 'a') + "\n" + std::string(39, 'b') + " " + std::string(40, 'c') + "\n";
    REQUIRE(heading(run) == "sample\n" + std::string(60, 'a') + " " + std::string(39, 'b') + "\n" +
                                std::string(40, 'c') + "\n");
    run.description.clear();
    REQUIRE(heading(run) == "sample\n");
}

TEST_CASE("the end has a row of its own only if it differs from the last checkpoint", "[tables]") {
    RunReport run = sample_run();
    run.ledger.result = run.ledger.checkpoints.back().stats;
    REQUIRE_THAT(run_tables(run), !Catch::Matchers::ContainsSubstring("(end)"));
    run.ledger.checkpoints.clear();
    REQUIRE_THAT(run_tables(run), Catch::Matchers::ContainsSubstring("(end)"));
}

TEST_CASE("what lay free as a pool last grew is told by reason, without empty columns",
          "[tables]") {
    RunReport run = sample_run();
    REQUIRE(stranded_table(run).empty());
    Growth growth{8_MiB, StreamId{1}, {}};
    run.ledger.pools[0].last_growth = growth;
    REQUIRE(stranded_table(run).empty());
    growth.stranded[StrandedReason::kOtherStream] = 640_MiB;
    growth.stranded[StrandedReason::kTooSmall] = 2_MiB;
    run.ledger.pools[1].last_growth = growth;
    const std::string table =
        R"(free as the pool last grew      for  on stream        other stream  too small
graphs                      8.0 MiB  aux[0], capture     640.0 MiB    2.0 MiB
)";
    REQUIRE(stranded_table(run) == table);
    REQUIRE_THAT(run_tables(run), Catch::Matchers::ContainsSubstring("\n\n" + table + "\n"));
}

TEST_CASE("who holds memory beside the allocator stands with error and source", "[tables]") {
    RunReport run = sample_run();
    run.ledger.driver = {{DriverTerm::What::kContext, "", 500_MiB, 2_MiB, "a profile"}};
    CHECK_THAT(run_tables(run), !Catch::Contains("source"));
    run.ledger.driver->push_back({DriverTerm::What::kCollective, "ring", 12_MiB, 1_MiB, "seen"});
    CHECK_THAT(run_tables(run), Catch::Contains(R"(
beside the allocator      bytes   within  source
context               500.0 MiB  2.0 MiB
ring (collective)      12.0 MiB  1.0 MiB  seen
together              512.0 MiB  3.0 MiB
)"));
}
