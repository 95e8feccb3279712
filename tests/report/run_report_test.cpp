#include "sim/report/run_report.hpp"

#include <string>

#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("streams that share a handle are one stream of two names", "[report]") {
    const StreamNames names = stream_names({{"default", StreamHandle{0}},
                                            {"aux[0]", StreamHandle{16}},
                                            {"aux[1]", StreamHandle{8}},
                                            {"capture", StreamHandle{16}}});
    REQUIRE(names == StreamNames{{"default"}, {"aux[0]", "capture"}, {"aux[1]"}});
}

TEST_CASE("the default stream has a name even where a Program gives it none", "[report]") {
    REQUIRE(stream_names({}) == StreamNames{{"default"}});
    REQUIRE(stream_names({{"s", StreamHandle{5}}}) == StreamNames{{"default"}, {"s"}});
}

TEST_CASE("a failed allocation is told with its place, tensor and stream", "[report]") {
    const Program program = parse_program(
        "highwater-program 1\nmachine total_memory 1024\nstream default handle 0\n"
        "tensor x\nreset_peaks\nalloc x 512 on default\nreset_peaks\n",
        "p.txt");
    Ledger ledger;
    ledger.failure = Failure{Failure::Kind::kOutOfMemory, 1, "no room", {}, {}, {}};
    const RunReport report = report_of(program, ledger);
    REQUIRE(report.failed);
    REQUIRE(report.failed->text == "alloc x on stream default (512 B)");
    REQUIRE(report.failed->place == SourcePlace{"p.txt", 6, 1});
    REQUIRE(report.failed->tensor == "x");
    REQUIRE(report.failed->stream == "default");
}

TEST_CASE("a cudaMalloc that was tried again is told with its place", "[report]") {
    const std::string text =
        "highwater-program 1\nmachine total_memory 1073741824 memory_fraction 1 conf \"\"\n"
        "stream default handle 0\ntensor x\n"
        "alloc x 629145600 on default\nfree x\nalloc x ";
    const auto report = [&](const std::string& bytes) {
        const Program program = parse_program(text + bytes + " on default\n", "p.txt");
        return report_of(program, run(program));
    };
    CHECK_THAT(report("734003200").first_retry,
               Catch::Matchers::ContainsSubstring("1 times, first at p.txt:7:1 (alloc x"));
    CHECK(report("629145600").first_retry.empty());
    // Of one that failed the failure says enough.
    const RunReport failed = report("1153433600");
    CHECK(failed.failed);
    CHECK(failed.first_retry.empty());
}

TEST_CASE("what a cost profile is missing for is told with what to do", "[report]") {
    Program program;
    program.ops = {op::RecordStream{}, op::RecordStream{}};
    const Untimed untimed = untimed_of(program, 3);
    CHECK(untimed == Untimed{3, 2});
    CHECK_THAT(untimed_text(untimed),
               Catch::Matchers::ContainsSubstring("(3)") &&
                   Catch::Matchers::ContainsSubstring("record_stream makes memory wait for (2)") &&
                   Catch::Matchers::ContainsSubstring("`cost_profile: h200-cuda13`"));
    CHECK(untimed_text({}).empty());
    // What is held is waited for.
    program.ops.emplace_back(op::HoldStream{});
    CHECK(untimed_of(program, 0) == Untimed{});
}

TEST_CASE("kernels that state no work are counted", "[report]") {
    Program program;
    op::Kernel stated{};
    stated.duration = std::chrono::microseconds{5};
    program.ops = {stated, op::Kernel{}, op::Kernel{}};
    RunReport report = report_of(program, {});
    CHECK(unstated_work_text(report).empty());
    report.costs = CostSource{"made_up", "a card", false, std::chrono::nanoseconds{1'200}};
    CHECK(unstated_work_text(report) == "2 of 3 kernels state no work and take 1.20 us each");
}

TEST_CASE("peaks count as reset only where the program came to it", "[report]") {
    Program program;
    program.ops = {op::EmptyCache{}, op::ResetPeaks{}};
    REQUIRE(report_of(program, {}).were_peaks_reset);
    Ledger ledger;
    ledger.failure = Failure{Failure::Kind::kPyTorchError, 0, "no", {}, {}, {}};
    const RunReport report = report_of(program, ledger);
    REQUIRE_FALSE(report.were_peaks_reset);
    REQUIRE_FALSE(report.failed->place);
    REQUIRE_FALSE(report.failed->tensor);
}

TEST_CASE("a field reads as a scenario would write it", "[report]") {
    REQUIRE(field_text(std::int64_t{-32}) == "-32");
    REQUIRE(field_text(0.5) == "0.5");
    REQUIRE(field_text(true) == "true");
    REQUIRE(field_text(false) == "false");
    REQUIRE(field_text(std::string("per-layer")) == "per-layer");
}
