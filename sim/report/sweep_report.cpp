#include "sim/report/sweep_report.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/core/check.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

const Field* find(const std::vector<Field>& fields, std::string_view name) {
    const auto found = std::find_if(
        fields.begin(), fields.end(), [name](const Field& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

// In the order of the scenario: a point that fails early has fewer measures than the others, so the
// one with the most comes first.
std::vector<std::string> measure_names(const SweepReport& sweep) {
    std::vector<const RunReport*> points;
    for (const RunReport& point : sweep.points) {
        points.push_back(&point);
    }
    std::stable_sort(points.begin(), points.end(), [](const auto* a, const auto* b) {
        return a->measures.size() > b->measures.size();
    });
    std::vector<std::string> names;
    for (const RunReport* point : points) {
        for (const Field& measure : point->measures) {
            if (std::find(names.begin(), names.end(), measure.name) == names.end()) {
                names.push_back(measure.name);
            }
        }
    }
    return names;
}

bool any_failed(const SweepReport& sweep) {
    return std::any_of(sweep.points.begin(), sweep.points.end(), [](const RunReport& point) {
        return point.ledger.failure.has_value();
    });
}

std::string outcome(const RunReport& point) {
    if (!point.ledger.failure) {
        return "done";
    }
    return point.ledger.failure->kind == Failure::Kind::kOutOfMemory ? "out of memory" : "error";
}

TextTable empty_table(const SweepReport& sweep, const std::vector<std::string>& measures) {
    std::vector<TextTable::Column> columns;
    for (const std::string& name : sweep.swept) {
        columns.push_back({name, TextTable::Align::kLeft});
    }
    columns.push_back({"peak reserved"});
    columns.push_back({"reserved"});
    for (const std::string& name : measures) {
        columns.push_back({name});
    }
    if (any_failed(sweep)) {
        columns.push_back({"outcome", TextTable::Align::kLeft});
    }
    return TextTable(columns);
}

void add_result(std::vector<std::string>& cells, const MemoryStats& stats) {
    for (const std::uint64_t figure : {stats.allocated_bytes.all.current,
                                       stats.reserved_bytes.all.current,
                                       stats.allocated_bytes.all.peak,
                                       stats.reserved_bytes.all.peak,
                                       stats.segment.all.current}) {
        cells.push_back(std::to_string(figure));
    }
}

}  // namespace

std::string point_text(const SweepReport& sweep, const RunReport& point) {
    std::string text;
    for (const std::string& name : sweep.swept) {
        text += fmt::format("{}{}={}",
                            text.empty() ? "" : ", ",
                            name,
                            field_text(find(point.parameters, name)->value));
    }
    return text;
}

// Why points failed: what is the same for several is told once.
std::string failures_text(const SweepReport& sweep) {
    constexpr std::size_t kMost = 5;
    std::vector<std::pair<std::string, std::string>> told;
    for (const RunReport& point : sweep.points) {
        if (point.ledger.failure) {
            const std::string why = failure_text(point);
            const bool is_told = std::any_of(
                told.begin(), told.end(), [&](const auto& each) { return each.second == why; });
            if (!is_told) {
                told.emplace_back(point_text(sweep, point), why);
            }
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(told.size(), kMost); ++i) {
        text += fmt::format("\n{}:\n  {}", told[i].first, told[i].second);
    }
    return told.size() > kMost
               ? text +
                     fmt::format("and {} other failures; run a point with --set to see its own\n",
                                 told.size() - kMost)
               : text;
}

// Which points have hazards, and the first of each: what is the same for several is told once.
std::string hazards_text(const SweepReport& sweep) {
    std::string text;
    std::set<std::string> told;
    for (const RunReport& point : sweep.points) {
        if (point.hazards.empty()) {
            continue;
        }
        const std::string& first = point.hazards.front().line;
        text += fmt::format("\n{}: {} hazard{}{}\n",
                            point_text(sweep, point),
                            point.hazards.size(),
                            point.hazards.size() == 1 ? "" : "s",
                            told.insert(first).second ? ", first " + first : ", as above");
    }
    return text;
}

std::string sweep_text(const SweepReport& sweep) {
    std::string text = sweep.points.empty() ? "" : heading(sweep.points.front()) + '\n';
    text += sweep_table(sweep) + failures_text(sweep) + hazards_text(sweep);
    for (const RunReport& point : sweep.points) {
        if (point.were_peaks_reset) {
            return text + '\n' + peaks_footnote(point);
        }
    }
    return text;
}

std::string sweep_table(const SweepReport& sweep) {
    const std::vector<std::string> measures = measure_names(sweep);
    TextTable table = empty_table(sweep, measures);
    const bool has_outcome = any_failed(sweep);
    for (const RunReport& point : sweep.points) {
        std::vector<std::string> cells;
        for (const std::string& name : sweep.swept) {
            const Field* parameter = find(point.parameters, name);
            check(parameter != nullptr, "a parameter swept over is one of the scenario's");
            cells.push_back(field_text(parameter->value));
        }
        const MemoryStats& stats = point.ledger.result;
        cells.push_back(size_text(Bytes{stats.reserved_bytes.all.peak}));
        cells.push_back(size_text(Bytes{stats.reserved_bytes.all.current}));
        for (const std::string& name : measures) {
            const Field* measure = find(point.measures, name);
            cells.push_back(measure == nullptr ? "-" : measure_text(*measure));
        }
        if (has_outcome) {
            cells.push_back(outcome(point));
        }
        table.add_row(std::move(cells));
    }
    return table.text();
}

std::string sweep_csv(const SweepReport& sweep) {
    const std::vector<std::string> measures = measure_names(sweep);
    std::string text;
    for (const RunReport& point : sweep.points) {
        std::vector<std::string> titles;
        std::vector<std::string> cells;
        for (const Field& parameter : point.parameters) {
            titles.push_back(parameter.name);
            cells.push_back(field_text(parameter.value));
        }
        for (const char* title : {"allocated_bytes",
                                  "reserved_bytes",
                                  "peak_allocated_bytes",
                                  "peak_reserved_bytes",
                                  "segment"}) {
            titles.emplace_back(title);
        }
        add_result(cells, point.ledger.result);
        for (const std::string& name : measures) {
            const Field* measure = find(point.measures, name);
            titles.push_back(name);
            cells.push_back(measure == nullptr ? "" : field_text(measure->value));
        }
        titles.emplace_back("outcome");
        cells.push_back(outcome(point));
        text += (text.empty() ? csv_line(titles) : "") + csv_line(cells);
    }
    return text;
}

std::string sweep_json_text(const SweepReport& sweep) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const RunReport& point : sweep.points) {
        points.push_back(run_json(point));
    }
    nlohmann::ordered_json json;
    json["points"] = std::move(points);
    return json_text(json);
}

}  // namespace highwater
