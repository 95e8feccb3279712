// What of a measurement is held against a prediction, and how.
#include "validate/compare/compare.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/catch.hpp"
#include "validate/compare/given_rest.hpp"
#include "validate/compare/known_differences.hpp"
#include "validate/compare/report_rows.hpp"
#include "validate/compare/reports.hpp"

using namespace highwater;

namespace {

using CompareJson = nlohmann::ordered_json;

CompareJson run_json_of_test() {
    return CompareJson::parse(R"({
      "scenario": "s", "parameters": {"layers": 2, "mode": "a<b"},
      "checkpoints": [{"name": "after", "time_ns": 1000, "allocated_bytes": 512,
                       "requested_bytes": 500, "driver_bytes": 4000, "driver_error_bytes": 100}],
      "result": {"time_ns": 1000, "allocated_bytes": 512, "driver_bytes": 4000,
                 "elapsed_ns": 1000, "card_busy_ns": null},
      "measures": {"grown_bytes": 512, "share": 0.5},
      "pools": [{"id": [0, 0], "name": "default", "reserved_bytes": 2048, "high_water_bytes": 2048,
                 "allocated_bytes": 512,
                 "streams": [{"stream": "default", "reserved_bytes": 2048,
                              "high_water_bytes": 2048}]}],
      "graphs": [{"graph": "g", "nodes": 3, "edges": 2, "driver_bytes": 10, "replay_ns": 100},
                 {"graph": "g", "nodes": 5, "edges": 4, "driver_bytes": 10, "replay_ns": 100}],
      "measured": {"backend": "torch", "framework": "PyTorch 2.11.0",
        "card": {"name": "NVIDIA H200", "driver": "580", "cuda": "13.0", "total_bytes": 10000},
        "ballast_bytes": 1000,
        "corruption": {"words": 0, "verified_reads": 7, "operations": []}}})");
}

// A file in which only the test writes.
class MeasuredFile {
  public:
    explicit MeasuredFile(const std::string& text)
        : path_((std::filesystem::temp_directory_path() /
                 ("highwater-compare-" + std::to_string(::getpid()) + "-" +
                  std::to_string(next_++) + ".json"))
                    .string()) {
        std::ofstream(path_) << text;
    }
    ~MeasuredFile() { std::filesystem::remove(path_); }
    MeasuredFile(const MeasuredFile&) = delete;
    MeasuredFile& operator=(const MeasuredFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    static inline int next_ = 0;
    std::string path_;
};

MeasuredRun measured_of(const CompareJson& json) {
    return read_measured(MeasuredFile(json.dump()).path()).front();
}

Comparison comparison_of(const CompareJson& measured,
                         std::uint64_t hazards = 0,
                         const Tolerances& tolerances = {}) {
    Comparison comparison;
    comparison.measured = measured_of(measured);
    comparison.hazards = hazards;
    comparison.figures =
        compare({figures_of(run_json_of_test()), hazards}, comparison.measured, tolerances);
    return comparison;
}

std::vector<ComparedFigure> with_verdict(const Comparison& comparison, Verdict verdict) {
    std::vector<ComparedFigure> found;
    std::ranges::copy_if(comparison.figures,
                         std::back_inserter(found),
                         [&](const ComparedFigure& figure) { return figure.verdict == verdict; });
    return found;
}

Verdict verdict_of_only(const Comparison& comparison, const std::string& name, FigureKind kind) {
    const auto found = std::ranges::find_if(comparison.figures, [&](const ComparedFigure& figure) {
        return figure.name == name && figure.kind == kind && figure.verdict != Verdict::kEqual;
    });
    return found == comparison.figures.end() ? Verdict::kEqual : found->verdict;
}

}  // namespace

TEST_CASE("the same figures are equal, each of them", "[compare]") {
    const Comparison comparison = comparison_of(run_json_of_test());
    const VerdictCounts counts = counts_of(comparison.figures);
    CHECK(counts.equal == comparison.figures.size());
    // The checkpoint's 4, the result's 2, a measure, 3 and 2 of the pool, 2 * 4 of graphs, outcome
    // and corruption.
    CHECK(counts.equal == 4 + 2 + 1 + 3 + 2 + 8 + 2);
}

TEST_CASE("a byte of the allocator or a node of a graph is out of tolerance", "[compare]") {
    CompareJson json = run_json_of_test();
    const auto [path, kind] = GENERATE(table<std::string, FigureKind>({
        {"/checkpoints/0/allocated_bytes", FigureKind::kAllocator},
        {"/result/allocated_bytes", FigureKind::kAllocator},
        {"/measures/grown_bytes", FigureKind::kAllocator},
        {"/pools/0/high_water_bytes", FigureKind::kAllocator},
        {"/pools/0/streams/0/reserved_bytes", FigureKind::kAllocator},
        {"/graphs/1/nodes", FigureKind::kGraph},
    }));
    CompareJson& value = json[CompareJson::json_pointer(path)];
    value = value.get<int>() + 1;
    const std::vector<ComparedFigure> out = with_verdict(comparison_of(json), Verdict::kOut);
    REQUIRE(out.size() == 1);
    CHECK(out[0].kind == kind);
    CHECK(*out[0].measured == *out[0].predicted + 1);
}

TEST_CASE("the driver's memory may be off by what the prediction states", "[compare]") {
    const auto [driver, verdict] = GENERATE(table<int, Verdict>({{4000, Verdict::kEqual},
                                                                 {4100, Verdict::kWithin},
                                                                 {3900, Verdict::kWithin},
                                                                 {4101, Verdict::kOut},
                                                                 {3899, Verdict::kOut}}));
    CompareJson json = run_json_of_test();
    json["checkpoints"][0]["driver_bytes"] = driver;
    CHECK(verdict_of_only(comparison_of(json), "driver_bytes", FigureKind::kDriver) == verdict);
}

TEST_CASE("a graph's memory of the driver states no error and is noted", "[compare]") {
    CompareJson json = run_json_of_test();
    json["graphs"][0]["driver_bytes"] = 1000000;
    CHECK(verdict_of_only(comparison_of(json), "driver_bytes", FigureKind::kDriver) ==
          Verdict::kNoted);
}

TEST_CASE("a time is out of tolerance only where that is promised", "[compare]") {
    const auto [time, verdict] = GENERATE(table<int, Verdict>({{100, Verdict::kEqual},
                                                               {80, Verdict::kWithin},
                                                               {133, Verdict::kWithin},
                                                               {79, Verdict::kNoted},
                                                               {135, Verdict::kNoted},
                                                               {100000, Verdict::kNoted}}));
    CompareJson json = run_json_of_test();
    json["graphs"][0]["replay_ns"] = time;
    CHECK(verdict_of_only(comparison_of(json), "replay_ns", FigureKind::kTime) == verdict);
}

TEST_CASE("a tolerance that a scenario states is a promise", "[compare]") {
    Tolerances stated;
    stated.time = 0.1;
    stated.is_time_promised = true;
    stated.driver = 1000;
    const auto [replay, driver, time_verdict, driver_verdict] =
        GENERATE(table<int, int, Verdict, Verdict>({{110, 5000, Verdict::kWithin, Verdict::kWithin},
                                                    {120, 5001, Verdict::kOut, Verdict::kOut}}));
    CompareJson json = run_json_of_test();
    json["graphs"][0]["replay_ns"] = replay;
    json["checkpoints"][0]["driver_bytes"] = driver;
    const Comparison comparison = comparison_of(json, 0, stated);
    CHECK(verdict_of_only(comparison, "replay_ns", FigureKind::kTime) == time_verdict);
    CHECK(verdict_of_only(comparison, "driver_bytes", FigureKind::kDriver) == driver_verdict);
}

TEST_CASE("a tolerance without bounds lets every time pass", "[compare]") {
    Tolerances stated;
    stated.time = 1e300;
    stated.is_time_promised = true;
    CompareJson json = run_json_of_test();
    json["graphs"][0]["replay_ns"] = 100000;
    CHECK(verdict_of_only(comparison_of(json, 0, stated), "replay_ns", FigureKind::kTime) ==
          Verdict::kWithin);
}

TEST_CASE("corruption needs a predicted hazard, a hazard no corruption", "[compare]") {
    const auto [hazards, words, verdict] =
        GENERATE(table<std::uint64_t, int, Verdict>({{0, 0, Verdict::kEqual},
                                                     {0, 1, Verdict::kOut},
                                                     {2, 0, Verdict::kNoted},
                                                     {2, 9, Verdict::kWithin}}));
    CompareJson json = run_json_of_test();
    json["measured"]["corruption"]["words"] = words;
    CHECK(verdict_of_only(comparison_of(json, hazards), "hazards", FigureKind::kCorruption) ==
          verdict);
}

TEST_CASE("what only one run came by is out of tolerance", "[compare]") {
    CompareJson json = run_json_of_test();
    switch (GENERATE(0, 1, 2, 3)) {
        case 0:
            json["checkpoints"].clear();
            break;
        case 1:
            json["checkpoints"].push_back(json["checkpoints"][0]);
            break;
        case 2:
            json["pools"].push_back(json["pools"][0]);
            break;
        default:
            json["failure"] = {{"kind", "out_of_memory"}};
    }
    CHECK_FALSE(with_verdict(comparison_of(json), Verdict::kOut).empty());
}

TEST_CASE("an empty pool that only one run has is no difference", "[compare]") {
    CompareJson json = run_json_of_test();
    json["pools"].push_back({{"name", "empty"},
                             {"reserved_bytes", 0},
                             {"high_water_bytes", 0},
                             {"allocated_bytes", 0},
                             {"streams", CompareJson::array()}});
    CHECK(with_verdict(comparison_of(json), Verdict::kOut).empty());
}

TEST_CASE("what was not measured is not compared", "[compare]") {
    CompareJson json = run_json_of_test();
    json["graphs"][0]["replay_ns"] = nullptr;
    json["checkpoints"][0]["driver_bytes"] = nullptr;
    const Comparison whole = comparison_of(run_json_of_test());
    const Comparison comparison = comparison_of(json);
    CHECK(comparison.figures.size() == whole.figures.size() - 2);
    CHECK(with_verdict(comparison, Verdict::kOut).empty());
}

TEST_CASE("of another allocator only times and corruption are compared", "[compare]") {
    CompareJson json = run_json_of_test();
    json["measured"]["backend"] = "cuda";
    json["checkpoints"][0]["allocated_bytes"] = 0;
    json["failure"] = {{"kind", "out_of_memory"}};
    const Comparison comparison = comparison_of(json);
    CHECK(with_verdict(comparison, Verdict::kOut).empty());
    CHECK(std::ranges::all_of(comparison.figures, [](const ComparedFigure& figure) {
        return figure.kind == FigureKind::kTime || figure.kind == FigureKind::kCorruption;
    }));
}

TEST_CASE("a known difference excuses its kind of its runs, so far and no further", "[compare]") {
    CompareJson json = run_json_of_test();
    json["checkpoints"][0]["allocated_bytes"] = 512 + 18;
    KnownDifference known{"s", "torch", FigureKind::kAllocator, 10, 1, "why"};
    // 3 and 5 nodes.
    SECTION("to the last byte") {
        Comparison comparison = comparison_of(json);
        CHECK(excuse(comparison, {known}) == std::vector<bool>{true});
        const auto excused = with_verdict(comparison, Verdict::kKnown);
        REQUIRE(excused.size() == 1);
        CHECK(excused[0].reason == "why");
        CHECK(reasons_in(comparison) == std::vector<std::string>{"why"});
    }
    SECTION("not what is further off, or of another run or kind") {
        const int which = GENERATE(0, 1, 2, 3);
        known.at_most -= which == 0 ? 1 : 0;
        known.scenario = which == 1 ? "t" : "s";
        known.backend = which == 2 ? "native" : "torch";
        known.kind = which == 3 ? FigureKind::kGraph : FigureKind::kAllocator;
        Comparison comparison = comparison_of(json);
        CHECK(excuse(comparison, {known}) == std::vector<bool>{false});
        CHECK(with_verdict(comparison, Verdict::kOut).size() == 1);
    }
}

TEST_CASE("a file that is no measurement is refused", "[compare]") {
    CompareJson json = run_json_of_test();
    const std::string text = GENERATE_COPY(std::string("{"),
                                           std::string("[]"),
                                           std::string("7"),
                                           std::string(R"({"points": []})"),
                                           std::string(R"({"measured": {}})"),
                                           json.dump().substr(1));
    const MeasuredFile file(text);
    CHECK_THROWS_AS(read_measured(file.path()), InputError);
    CHECK_THROWS_AS(read_measured("/nowhere/measured.json"), InputError);
}

TEST_CASE("a figure that nothing can be as large as is refused", "[compare]") {
    const std::string path = GENERATE(as<std::string>{},
                                      "/checkpoints/0/allocated_bytes",
                                      "/graphs/0/replay_ns",
                                      "/measured/ballast_bytes");
    CompareJson json = run_json_of_test();
    json[CompareJson::json_pointer(path)] = std::uint64_t{1} << 63U;
    CHECK_THROWS_AS(read_measured(MeasuredFile(json.dump()).path()), InputError);
}

TEST_CASE("the size of a tensor that takes the rest is read off the next checkpoint", "[compare]") {
    Program program = parse_program(R"(highwater-program 1
machine total_memory 1099511627776 memory_fraction 1 conf ""
stream default handle 0x0
tensor rest
alloc_rest rest 1 0 on default
checkpoint after
)",
                                    "test");
    const Ledger predicted = run(program);
    REQUIRE(predicted.placements.size() == 1);
    const auto size = static_cast<std::int64_t>(predicted.placements[0].size.count);
    CompareJson json = run_json_of_test();
    json["checkpoints"][0]["requested_bytes"] = size - 5000;
    const MeasuredRun measured = measured_of(json);

    const auto rest = measured_rest(program, predicted, measured, 0);
    REQUIRE(rest);
    CHECK(rest->measured.count == static_cast<std::uint64_t>(size - 5000));
    // 10000 of the card, without the ballast and what the driver held.
    CHECK(rest->card == Bytes{10000 - 1000 - 4000});
    CHECK(rest->figure.verdict == Verdict::kNoted);
    CHECK_FALSE(measured_rest(program, predicted, measured, rest->op + 1));

    give_rest(program, *rest);
    const Ledger given = run(program);
    CHECK(given.placements.at(0).size == rest->measured);
}

TEST_CASE("a card of another size leaves a process as much as before", "[compare]") {
    Program program;
    program.machine.total_memory = Bytes{1000};
    program.machine.memory_fraction = 0.5;
    fit_card(program, Bytes{800});
    CHECK(program.machine.total_memory == Bytes{800});
    CHECK(program.machine.memory_fraction == Approx(0.625));
}

TEST_CASE("reports name each run, fold graphs, and keep the page's marks out", "[compare]") {
    CompareJson json = run_json_of_test();
    json["graphs"][1]["nodes"] = 6;
    Comparison comparison = comparison_of(json);
    comparison.chosen = {{"mode", std::string("a<b|c")}};
    CHECK(title_of(comparison) == "s, mode a<b|c: torch");
    const std::vector<ReportRow> rows = report_rows(comparison);
    const auto nodes = std::ranges::find(rows, "nodes", &ReportRow::figure);
    REQUIRE(nodes != rows.end());
    CHECK(nodes->place == "2 graphs");
    CHECK(nodes->predicted == "8");
    CHECK(nodes->measured == "9");
    CHECK(nodes->difference == "+1");
    CHECK(nodes->verdict == "OUT, 1 of 2 equal");
    CHECK(nodes->is_out);
    const std::string html = comparisons_html({comparison});
    CHECK(html.find("a&lt;b|c") != std::string::npos);
    CHECK(html.find("a<b") == std::string::npos);
    CHECK(comparisons_markdown({comparison}).find("a\\<b\\|c") != std::string::npos);
    CHECK(CompareJson::parse(comparisons_json({comparison}))["comparisons"][0]["counts"]["out"] ==
          1);
}
