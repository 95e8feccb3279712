#include <array>
#include <variant>

#include <nlohmann/json.hpp>

#include "sim/report/run_json.hpp"
#include "sim/report/version.hpp"
#include "validate/compare/reports.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json value_or_null(const std::optional<std::int64_t>& value) {
    return value ? Json(*value) : Json(nullptr);
}

const char* word_of(FigurePlace::What what) {
    constexpr std::array<const char*, 8> kWords{
        "checkpoint", "result", "measures", "pool", "pool_stream", "graph", "rest", "run"};
    return kWords.at(static_cast<std::size_t>(what));
}

Json figure_json(const ComparedFigure& figure) {
    Json json{{"what", word_of(figure.place.what)}, {"name", figure.place.name}};
    if (!figure.place.pool.empty()) {
        json["pool"] = figure.place.pool;
    }
    json["figure"] = figure.name;
    json["kind"] = name_of(figure.kind);
    json["predicted"] = value_or_null(figure.predicted);
    json["measured"] = value_or_null(figure.measured);
    json["tolerance"] = value_or_null(figure.tolerance);
    json["verdict"] = figure.verdict == Verdict::kOut ? "out" : name_of(figure.verdict);
    if (!figure.reason.empty()) {
        json["reason"] = figure.reason;
    }
    return json;
}

Json counts_json(const VerdictCounts& counts) {
    return {{"equal", counts.equal},
            {"within", counts.within},
            {"noted", counts.noted},
            {"known", counts.known},
            {"out", counts.out}};
}

Json comparison_json(const Comparison& comparison) {
    const MeasuredRun& measured = comparison.measured;
    Json json{{"scenario", measured.figures.scenario}};
    Json& parameters = json["parameters"] = Json::object();
    for (const Field& field : measured.figures.parameters) {
        std::visit([&](const auto& value) { parameters[field.name] = value; }, field.value);
    }
    json["file"] = measured.file;
    json["backend"] = measured.backend;
    json["framework"] = measured.framework.empty() ? Json(nullptr) : Json(measured.framework);
    json["card"] = measured.card;
    json["hazards"] = comparison.hazards;
    json["corrupt_words"] = measured.corrupt_words;
    json["counts"] = counts_json(counts_of(comparison.figures));
    Json& figures = json["figures"] = Json::array();
    for (const ComparedFigure& figure : comparison.figures) {
        figures.push_back(figure_json(figure));
    }
    return json;
}

}  // namespace

std::string comparisons_json(const std::vector<Comparison>& all) {
    Json json{{"highwater", version()}, {"comparisons", Json::array()}};
    for (const Comparison& comparison : all) {
        json["comparisons"].push_back(comparison_json(comparison));
    }
    return json_text(json);
}

}  // namespace highwater
