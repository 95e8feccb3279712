#include "sim/report/run_report.hpp"

#include "sim/engine/program_text.hpp"
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
