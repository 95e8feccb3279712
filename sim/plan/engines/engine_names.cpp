#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/plan/engines/engine_plan.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

struct EngineName {
    Engine engine;
    std::string_view name;
    std::string_view setting;
};

constexpr std::array<EngineName, 3> kEngineNames{
    {{Engine::kVllm, "vllm", "gpu_memory_utilization"},
     {Engine::kSglang, "sglang", "mem_fraction_static"},
     {Engine::kTensorrtLlm, "tensorrt-llm", "free_gpu_memory_fraction"}}};

}  // namespace

std::string_view name_of(Engine engine) {
    return kEngineNames.at(static_cast<std::size_t>(engine)).name;
}

std::string_view setting_of(Engine engine) {
    return kEngineNames.at(static_cast<std::size_t>(engine)).setting;
}

Engine engine_of(const std::string& name) {
    std::vector<std::string> known;
    for (const EngineName& each : kEngineNames) {
        if (each.name == name) {
            return each.engine;
        }
        known.emplace_back(each.name);
    }
    throw InputError({"--engine"},
                     fmt::format("unknown engine `{}`", quoted(name)),
                     suggestion(name, known, "name another"));
}

}  // namespace highwater::plan
