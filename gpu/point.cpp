#include "gpu/point.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/engine/program_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/measures.hpp"
#include "sim/scenario/text/source_text.hpp"

namespace highwater::gpu {
namespace {

constexpr std::string_view kProgramWord = "highwater-program";

// Of a Program's text, which may be longer than scenarios may.
std::optional<std::string> program_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string::npos && line[first] != '#') {
            break;
        }
    }
    if (line.find(kProgramWord) == std::string::npos) {
        return std::nullopt;
    }
    file.clear();
    file.seekg(0);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
    std::vector<Override> overrides;
    for (const std::string& each : set) {
        overrides.push_back(parse_override(each));
    }
    return overrides;
}

}  // namespace

Point read_point(const std::string& path, const std::vector<std::string>& set) {
    Point point;
    point.name = path;
    if (const auto text = program_text(path)) {
        if (!set.empty()) {
            throw InputError({path}, "a Program has no parameters", "leave out `--set`");
        }
        point.program = parse_program(*text, path);
        return point;
    }
    point.scenario = load_scenario(read_scenario_file(path), path, read_scenario_file);
    point.name = point.scenario->name;
    point.values = resolve_parameters(*point.scenario, overrides_of(set));
    Lowered lowered = lower(*point.scenario, point.values);
    point.program = std::move(lowered.program);
    point.served = std::move(lowered.served);
    return point;
}

RunReport report_of(const Point& point, const Measurement& measurement) {
    RunReport report = highwater::report_of(point.program, measurement.ledger);
    report.scenario = point.name;
    report.served = point.served;
    report.costs = CostSource{"measured", measurement.card.name, false};
    if (!point.scenario) {
        return report;
    }
    report.description = point.scenario->description;
    for (const auto& [name, value] : point.values.all()) {
        report.parameters.push_back({name, value});
    }
    for (Measure& measure : evaluate_measures(
             *point.scenario, point.values, point.program, report.ledger, point.served)) {
        if (measure.value) {
            report.measures.push_back({std::move(measure.name), std::move(*measure.value)});
        }
    }
    return report;
}

}  // namespace highwater::gpu
