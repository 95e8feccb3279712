#include "validate/compare/measured_run.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "validate/compare/json_file.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRemedy = "give what `highwater-gpu run --json` wrote";

std::string card_text(const Json& card) {
    return fmt::format("{}, driver {}, CUDA {}",
                       card.at("name").get<std::string>(),
                       card.at("driver").get<std::string>(),
                       card.at("cuda").get<std::string>());
}

Bytes card_size_of(const Json& measured) {
    const std::int64_t size =
        whole_of(measured.at("card").at("total_bytes")) - whole_of(measured.at("ballast_bytes"));
    return Bytes{static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0))};
}

MeasuredRun measured_run_of(const Json& run) {
    const Json& measured = run.at("measured");
    const Json& framework = measured.at("framework");
    const Json& corruption = measured.at("corruption");
    MeasuredRun result;
    result.figures = figures_of(run);
    result.backend = measured.at("backend").get<std::string>();
    result.framework = framework.is_null() ? "" : framework.get<std::string>();
    result.card = card_text(measured.at("card"));
    result.card_size = card_size_of(measured);
    result.corrupt_words = static_cast<std::uint64_t>(whole_of(corruption.at("words")));
    result.corrupt_operations = corruption.at("operations").size();
    result.verified_reads = corruption.at("verified_reads").get<std::uint64_t>();
    result.repeats = measured.value("repeats", std::uint64_t{1});
    result.notices = run.value("notices", std::vector<std::string>{});
    return result;
}

void require_measured(const std::string& path, const Json& run) {
    if (!run.is_object() || !run.contains("measured")) {
        throw InputError({path}, "nothing in it is measured", kRemedy);
    }
}

}  // namespace

std::vector<MeasuredRun> read_measured(const std::string& path) {
    const Json json = json_in_file(path, kRemedy);
    const bool is_sweep = json.is_object() && json.contains("points");
    const Json points = is_sweep ? json["points"] : Json::array({json});
    std::vector<MeasuredRun> runs;
    for (const Json& point : points) {
        require_measured(path, point);
        try {
            runs.push_back(measured_run_of(point));
        } catch (const std::exception& error) {
            throw InputError(
                {path},
                fmt::format("a figure is missing or of another kind ({})", error.what()),
                kRemedy);
        }
        runs.back().file = std::filesystem::path(path).filename().string();
    }
    if (runs.empty()) {
        throw InputError({path}, "it holds no run", kRemedy);
    }
    return runs;
}

}  // namespace highwater
