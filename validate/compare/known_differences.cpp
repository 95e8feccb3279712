#include "validate/compare/known_differences.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "validate/compare/json_file.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

FigureKind kind_named(const std::string& name) {
    constexpr std::array kKinds{FigureKind::kAllocator,
                                FigureKind::kGraph,
                                FigureKind::kDriver,
                                FigureKind::kOutcome,
                                FigureKind::kCorruption};
    const auto* const found =
        std::ranges::find(kKinds, std::string_view(name), [](auto kind) { return name_of(kind); });
    if (found == kKinds.end()) {
        throw std::invalid_argument(fmt::format("`{}` is no kind of figure", name));
    }
    return *found;
}

std::uint64_t bound_of(const Json& json) {
    if (!json.is_number_unsigned()) {
        throw std::invalid_argument(
            fmt::format("`{}` is no bound of a difference: a whole number from 0", json.dump()));
    }
    return json.get<std::uint64_t>();
}

KnownDifference known_difference_of(const Json& json) {
    KnownDifference known;
    known.scenario = json.value("scenario", "");
    known.backend = json.value("backend", "");
    known.kind = kind_named(json.at("kind").get<std::string>());
    known.at_most = bound_of(json.at("at_most"));
    known.at_most_per_node =
        json.contains("at_most_per_node") ? bound_of(json["at_most_per_node"]) : 0;
    known.reason = json.at("reason").get<std::string>();
    if (known.reason.empty()) {
        throw std::invalid_argument("a known difference without a reason");
    }
    return known;
}

std::uint64_t nodes_in(const MeasuredRun& measured) {
    std::uint64_t nodes = 0;
    for (const PlaceFigures& place : measured.figures.places) {
        for (const RunFigure& figure : place.figures) {
            const bool is_nodes =
                place.place.what == FigurePlace::What::kGraph && figure.name == "nodes";
            nodes += is_nodes ? static_cast<std::uint64_t>(figure.value) : 0;
        }
    }
    return nodes;
}

bool is_of_run(const KnownDifference& known, const MeasuredRun& measured) {
    return (known.scenario.empty() || known.scenario == measured.figures.scenario) &&
           (known.backend.empty() || known.backend == measured.backend);
}

bool excuses(const KnownDifference& known, const ComparedFigure& figure, std::uint64_t nodes) {
    const std::int64_t off = figure.predicted.value_or(0) - figure.measured.value_or(0);
    return known.kind == figure.kind && static_cast<std::uint64_t>(std::abs(off)) <=
                                            known.at_most + known.at_most_per_node * nodes;
}

}  // namespace

std::vector<KnownDifference> read_known_differences(const std::string& path) {
    constexpr const char* kRemedy = "see validate/README.md";
    const Json json = json_in_file(path, kRemedy);
    std::vector<KnownDifference> all;
    try {
        for (const Json& each : json) {
            all.push_back(known_difference_of(each));
        }
    } catch (const std::exception& error) {
        throw InputError(
            {path}, fmt::format("known difference {}: {}", all.size() + 1, error.what()), kRemedy);
    }
    return all;
}

std::vector<bool> excuse(Comparison& comparison, const std::vector<KnownDifference>& known) {
    std::vector<bool> needed(known.size(), false);
    const std::uint64_t nodes = nodes_in(comparison.measured);
    for (ComparedFigure& figure : comparison.figures) {
        for (std::size_t i = 0; i < known.size() && figure.verdict == Verdict::kOut; ++i) {
            if (is_of_run(known[i], comparison.measured) && excuses(known[i], figure, nodes)) {
                figure.verdict = Verdict::kKnown;
                figure.reason = known[i].reason;
                needed[i] = true;
            }
        }
    }
    return needed;
}

}  // namespace highwater
