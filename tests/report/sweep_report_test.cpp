#include "sim/report/sweep_report.hpp"

#include <nlohmann/json.hpp>

#include "tests/report/sample_run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

SweepReport sample_sweep() {
    RunReport second = sample_run();
    second.parameters[1].value = std::string("shared");
    second.measures[0].value = std::int64_t{1} << 20;
    return {{"mode"}, {sample_run(), second}};
}

}  // namespace

TEST_CASE("a sweep for people has one row a point and the parameters swept over", "[sweep]") {
    REQUIRE(sweep_table(sample_sweep()) ==
            "mode       peak reserved  reserved  reserved_delta_bytes  ratio\n"
            "per-layer       66.0 MiB  60.0 MiB              20.0 MiB    2.5\n"
            "shared          66.0 MiB  60.0 MiB               1.0 MiB    2.5\n");
}

TEST_CASE("a sweep in which a point failed says how each ended", "[sweep]") {
    SweepReport sweep = sample_sweep();
    sweep.points[0] = sample_failure();
    REQUIRE(sweep_table(sweep) ==
            "mode       peak reserved  reserved  reserved_delta_bytes  ratio  outcome\n"
            "per-layer       66.0 MiB  60.0 MiB              20.0 MiB      -  out of memory\n"
            "shared          66.0 MiB  60.0 MiB               1.0 MiB    2.5  done\n");
}

TEST_CASE("a sweep in which peaks were reset says from where they count", "[sweep]") {
    SweepReport sweep = sample_sweep();
    REQUIRE_THAT(sweep_text(sweep), !Catch::Matchers::ContainsSubstring("reset_peaks"));
    sweep.points[1].were_peaks_reset = true;
    REQUIRE_THAT(sweep_text(sweep),
                 Catch::Matchers::EndsWith("2.5\n\npeaks count from the last reset_peaks\n"));
}

TEST_CASE("a sweep's CSV has every parameter and exact figures", "[sweep]") {
    REQUIRE(sweep_csv(sample_sweep()) ==
            "layers,mode,allocated_bytes,reserved_bytes,peak_allocated_bytes,peak_reserved_bytes,"
            "segment,reserved_delta_bytes,ratio,outcome\n"
            "32,per-layer,3145728,62914560,6291456,69206016,3,20971520,2.5,done\n"
            "32,shared,3145728,62914560,6291456,69206016,3,1048576,2.5,done\n");
}

TEST_CASE("a sweep's JSON lists its points as runs", "[sweep]") {
    const auto json = nlohmann::json::parse(sweep_json_text(sample_sweep()));
    REQUIRE(json.size() == 1);
    REQUIRE(json["points"].size() == 2);
    REQUIRE(json["points"][1]["parameters"]["mode"] == "shared");
}
