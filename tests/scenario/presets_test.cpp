#include "sim/scenario/text/presets.hpp"

#include <string>

#include "sim/scenario/facts/bucket_list.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

ParameterValues values_of(const std::string& preset, const std::string& more = "") {
    const std::string text = "scenario: t\nextends: " + preset + "\nsteps: []\n" + more;
    return resolve_parameters(load_scenario(text, "s.yaml"));
}

std::int64_t integer(const ParameterValues& values, const std::string& name) {
    return std::get<std::int64_t>(values.find(name).value());
}

double real(const ParameterValues& values, const std::string& name) {
    return as_real(values.find(name).value());
}

}  // namespace

TEST_CASE("every preset can be extended alone", "[presets]") {
    for (const std::string& name : preset_names()) {
        INFO(name);
        CHECK_FALSE(values_of(name).all().empty());
    }
    CHECK_FALSE(find_preset("devices"));
}

TEST_CASE("the models' KV caches take what is published of them", "[presets]") {
    const auto kv_bytes = [](const std::string& model) {
        return integer(values_of("models/" + model), "kv_bytes_per_token");
    };
    CHECK(kv_bytes("llama-3-8b") == 131'072);
    CHECK(kv_bytes("llama-3-70b") == 327'680);
    CHECK(kv_bytes("mixtral-8x7b") == 131'072);
    CHECK(kv_bytes("deepseek-v3") == 70'272);
}

TEST_CASE("SGLang's fractions follow from the card and the parallel sizes", "[presets]") {
    const auto [device, tp, fraction] = GENERATE(table<std::string, std::string, double>({
        {"h100", "1", 0.835},
        {"h100", "8", 0.818},
        {"h200", "1", 0.906},
        {"h200", "8", 0.896},
    }));
    const ParameterValues values =
        values_of("engines/sglang", "device: " + device + "\nparameters: {tp: " + tp + "}\n");
    CHECK(real(values, "memory_fraction") == Approx(fraction).margin(0.0005));
    CHECK(integer(values, "max_bucket") == (tp == "1" ? 256 : 512));
}

TEST_CASE("the engines name bucket lists that are there", "[presets]") {
    for (const std::string engine : {"sglang", "vllm", "tensorrt-llm"}) {
        const ParameterValues values = values_of("engines/" + engine);
        const std::string name = std::get<std::string>(values.find("bucket_list").value());
        CHECK(named_bucket_list(name, integer(values, "max_bucket")));
    }
}

TEST_CASE("a model and an engine go together", "[presets]") {
    const ParameterValues values = values_of("[models/llama-3-8b, engines/vllm]");
    CHECK(integer(values, "layers") == 32);
    CHECK(integer(values, "max_bucket") == 512);
}
