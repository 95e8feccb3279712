#include "validate/compare/figures.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;
using What = FigurePlace::What;

FigureKind kind_of_figure(const std::string& name, FigureKind other) {
    if (name.ends_with("_ns")) {
        return FigureKind::kTime;
    }
    return name == "driver_bytes" ? FigureKind::kDriver : other;
}

std::optional<std::int64_t> whole_at(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number()) {
        return std::nullopt;
    }
    return whole_of(*found);
}

// All whole numbers, and times.
std::vector<RunFigure> figures_in(const Json& json, FigureKind other) {
    std::vector<RunFigure> figures;
    for (const auto& [name, value] : json.items()) {
        const FigureKind kind = kind_of_figure(name, other);
        const bool is_figure =
            value.is_number_integer() || (kind == FigureKind::kTime && value.is_number());
        if (is_figure && name != "driver_error_bytes") {
            figures.push_back({name, kind, whole_of(value)});
        }
    }
    return figures;
}

std::vector<RunFigure> checkpoint_figures(const Json& json) {
    std::vector<RunFigure> figures = figures_in(json, FigureKind::kAllocator);
    for (RunFigure& figure : figures) {
        if (figure.kind == FigureKind::kDriver) {
            figure.error = whole_at(json, "driver_error_bytes");
        }
    }
    return figures;
}

// The last checkpoint's driver memory has a stated error; that of the result has none.
std::vector<RunFigure> result_figures(const Json& json) {
    std::vector<RunFigure> figures = figures_in(json, FigureKind::kAllocator);
    std::erase_if(figures, [](const RunFigure& figure) {
        return figure.kind == FigureKind::kDriver || figure.name == "time_ns";
    });
    return figures;
}

void add_pools(const Json& json, std::vector<PlaceFigures>& places) {
    for (const Json& pool : json) {
        const auto name = pool.at("name").get<std::string>();
        places.push_back({{What::kPool, name, ""}, figures_in(pool, FigureKind::kAllocator)});
        for (const Json& stream : pool.at("streams")) {
            places.push_back({{What::kPoolStream, stream.at("stream").get<std::string>(), name},
                              figures_in(stream, FigureKind::kAllocator)});
        }
    }
}

Outcome outcome_of(const Json& run) {
    if (!run.contains("failure")) {
        return Outcome::kFinished;
    }
    return run["failure"].at("kind") == "out_of_memory" ? Outcome::kOutOfMemory
                                                        : Outcome::kPyTorchError;
}

Field field_of(const std::string& name, const Json& value) {
    if (value.is_boolean()) {
        return {name, value.get<bool>()};
    }
    if (value.is_string()) {
        return {name, value.get<std::string>()};
    }
    if (value.is_number_float()) {
        return {name, value.get<double>()};
    }
    return {name, value.get<std::int64_t>()};
}

}  // namespace

std::string_view name_of(FigureKind kind) {
    constexpr std::array<std::string_view, 6> kNames{
        "allocator", "graph", "driver", "time", "outcome", "corruption"};
    return kNames.at(static_cast<std::size_t>(kind));
}

std::int64_t whole_of(const Json& value) {
    constexpr double kTooLarge = 1e15;
    if (!(std::abs(value.get<double>()) < kTooLarge)) {
        throw std::out_of_range(value.dump() + " is no size, time or count");
    }
    return value.get<std::int64_t>();
}

RunFigures figures_of(const Json& run) {
    RunFigures figures;
    figures.scenario = run.at("scenario").get<std::string>();
    for (const auto& [name, value] : run.at("parameters").items()) {
        figures.parameters.push_back(field_of(name, value));
    }
    for (const Json& checkpoint : run.at("checkpoints")) {
        figures.places.push_back({{What::kCheckpoint, checkpoint.at("name").get<std::string>(), ""},
                                  checkpoint_figures(checkpoint)});
    }
    figures.places.push_back({{What::kResult, "", ""}, result_figures(run.at("result"))});
    figures.places.push_back(
        {{What::kMeasures, "", ""}, figures_in(run.at("measures"), FigureKind::kAllocator)});
    add_pools(run.at("pools"), figures.places);
    for (const Json& graph : run.at("graphs")) {
        figures.places.push_back({{What::kGraph, graph.at("graph").get<std::string>(), ""},
                                  figures_in(graph, FigureKind::kGraph)});
    }
    figures.outcome = outcome_of(run);
    figures.has_times = whole_at(run.at("result"), "elapsed_ns").has_value();
    return figures;
}

}  // namespace highwater
