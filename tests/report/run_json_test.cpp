#include "sim/report/run_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/report/version.hpp"
#include "tests/report/sample_run.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

constexpr const char* kSample = R"({
  "highwater": "VERSION",
  "scenario": "sample",
  "parameters": {
    "layers": 32,
    "mode": "per-layer"
  },
  "checkpoints": [
    {
      "name": "before",
      "time_ns": null,
      "allocated_bytes": 1048576,
      "reserved_bytes": 20971520,
      "active_bytes": 3145728,
      "inactive_split_bytes": 5242880,
      "requested_bytes": 1000,
      "peak_allocated_bytes": 2097152,
      "peak_reserved_bytes": 23068672,
      "segment": 1,
      "driver_bytes": null,
      "driver_error_bytes": null
    },
    {
      "name": "after",
      "time_ns": null,
      "allocated_bytes": 2097152,
      "reserved_bytes": 41943040,
      "active_bytes": 6291456,
      "inactive_split_bytes": 10485760,
      "requested_bytes": 2000,
      "peak_allocated_bytes": 4194304,
      "peak_reserved_bytes": 46137344,
      "segment": 2,
      "driver_bytes": null,
      "driver_error_bytes": null
    }
  ],
  "result": {
    "time_ns": null,
    "allocated_bytes": 3145728,
    "reserved_bytes": 62914560,
    "active_bytes": 9437184,
    "inactive_split_bytes": 15728640,
    "requested_bytes": 3000,
    "peak_allocated_bytes": 6291456,
    "peak_reserved_bytes": 69206016,
    "segment": 3,
    "driver_bytes": null,
    "num_alloc_retries": 7,
    "num_ooms": 8,
    "num_device_alloc": 9,
    "num_device_free": 10,
    "elapsed_ns": null
  },
  "measures": {
    "reserved_delta_bytes": 20971520,
    "ratio": 2.5
  },
  "pools": [
    {
      "id": [
        0,
        0
      ],
      "name": "default",
      "reserved_bytes": 2097152,
      "high_water_bytes": 4194304,
      "allocated_bytes": 1048576,
      "stranded_bytes": null,
      "last_growth": null,
      "streams": [
        {
          "stream": "default",
          "reserved_bytes": 2097152,
          "high_water_bytes": 4194304
        }
      ]
    },
    {
      "id": [
        0,
        1
      ],
      "name": "graphs",
      "reserved_bytes": 60817408,
      "high_water_bytes": 62914560,
      "allocated_bytes": 0,
      "stranded_bytes": null,
      "last_growth": null,
      "streams": [
        {
          "stream": "aux[0]",
          "reserved_bytes": 60817408,
          "high_water_bytes": 62914560
        }
      ]
    }
  ],
  "streams": null,
  "driver": null,
  "graphs": [],
  "hazards": [],
  "notices": [
    "no cost profile, so no time passes: time_ns and elapsed_ns are null",
    "no cost profile, so the driver's memory is not known: driver is null",
    "why the driver's own pool grows is not modelled: its stranded_bytes are null"
  ]
}
)";

std::string expected() {
    std::string text = kSample;
    const std::string word = "VERSION";
    return text.replace(text.find(word), word.size(), version());
}

}  // namespace

TEST_CASE("the JSON of a run has the contract's keys in the contract's order", "[json]") {
    REQUIRE(run_json_text(sample_run()) == expected());
}

TEST_CASE("the JSON of a run says where it failed, and only then", "[json]") {
    REQUIRE_FALSE(run_json(sample_run()).contains("failure"));
    REQUIRE(run_json(sample_failure())["failure"].dump() ==
            R"({"kind":"out_of_memory","op":12,"file":"sample.yaml","line":7,"column":9,)"
            R"("tensor":"x","stream":"s","message":"no room for 3 B"})");
}

TEST_CASE("a failure without a place or a tensor is told by its operation", "[json]") {
    RunReport run = sample_failure();
    run.failed = FailedOperation{"free x", {}, {}, {}};
    run.ledger.failure->kind = Failure::Kind::kPyTorchError;
    REQUIRE(run_json(run)["failure"].dump() ==
            R"({"kind":"pytorch_error","op":12,"message":"no room for 3 B"})");
}

TEST_CASE("a run without anything has empty objects and lists, not nulls", "[json]") {
    RunReport run;
    run.streams = {{"default"}};
    const auto json = run_json(run);
    REQUIRE(json["parameters"].dump() == "{}");
    REQUIRE(json["measures"].dump() == "{}");
    REQUIRE(json["checkpoints"].dump() == "[]");
    REQUIRE(json["pools"].dump() == "[]");
}

TEST_CASE("a name that is not UTF-8 still gives valid JSON", "[json]") {
    RunReport run = sample_run();
    run.scenario = "a\xff";
    const std::string text = run_json_text(run);
    REQUIRE(nlohmann::json::parse(text)["scenario"] == "a\xef\xbf\xbd");
}

TEST_CASE("what was stranded at a pool's last growth has every reason, in bytes", "[json]") {
    RunReport run = sample_run();
    Growth growth{8_MiB, StreamId{1}, {}};
    growth.stranded[StrandedReason::kOtherStream] = 640_MiB;
    run.ledger.pools[1].last_growth = growth;
    const auto pool = run_json(run)["pools"][1];
    REQUIRE(pool["stranded_bytes"].size() == kStrandedReasons);
    REQUIRE(pool["stranded_bytes"]["other_stream"] == (640_MiB).count);
    REQUIRE(pool["stranded_bytes"]["too_small"] == 0);
    REQUIRE(pool["last_growth"].dump() == R"({"requested_bytes":8388608,"stream":"aux[0]"})");
}

TEST_CASE("nothing was stranded in a pool that never grew", "[json]") {
    RunReport run = sample_run();
    run.ledger.pools[1].high_water = 0_B;
    REQUIRE(run_json(run)["pools"][1]["stranded_bytes"]["other_stream"] == 0);
    REQUIRE(run_json(run)["pools"][1]["last_growth"].is_null());
}

TEST_CASE("JSON lists who holds memory beside the allocator", "[json]") {
    RunReport run = sample_run();
    run.ledger.driver = {{DriverTerm::What::kLibrary, "blas", Bytes{32}, Bytes{4}, "seen"}};
    const nlohmann::ordered_json json = run_json(run);
    CHECK(json["driver"] == nlohmann::ordered_json{{{"what", "library"},
                                                    {"name", "blas"},
                                                    {"bytes", 32},
                                                    {"error_bytes", 4},
                                                    {"source", "seen"}}});
    CHECK(json["result"]["driver_bytes"] == 32);
    CHECK(json["checkpoints"][0]["driver_bytes"] == 0);
    CHECK_THAT(json["notices"][1].get<std::string>(), Catch::Contains("only what is named"));
}
