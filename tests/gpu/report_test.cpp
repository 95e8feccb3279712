// What the harness says of its measurements.
#include <nlohmann/json.hpp>

#include "gpu/measure.hpp"
#include "gpu/measurement_json.hpp"
#include "gpu/repeats.hpp"
#include "sim/engine/run.hpp"
#include "sim/report/run_json.hpp"
#include "tests/gpu/fake_backend.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using Json = nlohmann::ordered_json;

namespace {

Json measured_json(const gpu::Point& point) {
    gpu::FakeBackend backend(point.program);
    return gpu::measurement_json(point, gpu::measure(point.program, backend, "fake"));
}

const gpu::Point& point() {
    static const gpu::Point read =
        gpu::read_point(HIGHWATER_SOURCE_DIR "/scenarios/aux_streams.yaml", {"layers=4"});
    return read;
}

}  // namespace

TEST_CASE("the JSON of a measurement has the form of a prediction's", "[json]") {
    const Json measured = measured_json(point());
    const Json predicted = run_json(highwater::report_of(point().program, run(point().program)));
    for (const auto& [key, value] : predicted.items()) {
        INFO(key);
        CHECK(measured.contains(key));
    }
    REQUIRE(measured["checkpoints"].size() == predicted["checkpoints"].size());
    for (std::size_t i = 0; i < predicted["checkpoints"].size(); ++i) {
        for (const auto& [key, value] : predicted["checkpoints"][i].items()) {
            INFO(key);
            CHECK(measured["checkpoints"][i].contains(key));
        }
    }
    CHECK(measured["parameters"]["layers"] == 4);
    CHECK(measured["measures"].contains("reserved_delta_bytes"));
    CHECK(measured["hazards"].is_null());
}

TEST_CASE("beside the figures it says what they were measured with", "[json]") {
    const Json measured = measured_json(point())["measured"];
    CHECK(measured["backend"] == "fake");
    CHECK(measured["framework"] == "Fake 1.0");
    CHECK(measured["card"]["name"] == "Fake card");
    CHECK(measured["card"]["driver_cuda"] == "13.1");
    CHECK(measured["card"]["cuda"] == "13.0");
    CHECK(measured["figures"]["fakes"] == 1);
    CHECK(measured["corruption"]["words"] == 0);
    CHECK(measured["corruption"]["verified_reads"] > 0);
    CHECK(measured["graphs"][0]["kinds"]["kernel"] > 0);
    CHECK(measured["graphs"][0]["replay_ns"].size() == 1);
}

TEST_CASE("of several runs each time is the median, and what is not the same is named",
          "[repeats]") {
    const auto run_of = [](int time, int bytes) {
        return Json{{"time_ns", time},
                    {"replay_ns", {time, 7}},
                    {"bytes", bytes},
                    {"measured", Json::object()}};
    };
    const Json merged = gpu::merged({run_of(30, 1), run_of(10, 1), run_of(20, 2)});
    CHECK(merged["time_ns"] == 20);
    CHECK(merged["replay_ns"][0] == 20);
    CHECK(merged["bytes"] == 1);
    CHECK(merged["measured"]["repeats"] == 3);
    CHECK(merged["measured"]["times"]["/time_ns"] ==
          Json{{"smallest", 10}, {"median", 20}, {"largest", 30}});
    CHECK(merged["measured"]["unsteady"] == Json{"/bytes"});
}

TEST_CASE("one run is its own median", "[repeats]") {
    const Json merged = gpu::merged({Json{{"time_ns", 5}, {"measured", Json::object()}}});
    CHECK(merged["time_ns"] == 5);
    CHECK(merged["measured"]["unsteady"].empty());
}
