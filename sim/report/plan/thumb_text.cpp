#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/printable.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/plan/engine_text.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/scenario/expression/value.hpp"

namespace highwater {
namespace {

std::int64_t short_by(const plan::ThumbRule& rule) {
    return static_cast<std::int64_t>(rule.need.count) - static_cast<std::int64_t>(rule.rule.count);
}

std::string factor_text(const plan::ThumbRule& rule) {
    return rule.eager_peak == Bytes{} ? "-"
                                      : fmt::format("{:.2f}",
                                                    static_cast<double>(rule.need.count) /
                                                        static_cast<double>(rule.eager_peak.count));
}

std::string thumb_verdict(const plan::ThumbRule& rule) {
    if (rule.is_cut_short) {
        return "ran out of memory before the last capture";
    }
    const std::int64_t missing = short_by(rule);
    return missing > 0 ? fmt::format("fails by {}", size_text(missing))
                       : fmt::format("holds, {} too much", size_text(-missing));
}

}  // namespace

std::string thumb_text(const std::vector<ThumbRow>& rows, const std::string& scenario) {
    std::vector<TextTable::Column> columns;
    if (!rows.empty()) {
        for (const Field& field : rows.front().parameters) {
            columns.push_back({field.name, kLeft});
        }
    }
    columns.insert(
        columns.end(),
        {{"graphs"}, {"eager peak"}, {"x 1.3"}, {"pools need"}, {"x peak"}, {"the rule", kLeft}});
    TextTable table(columns);
    for (const ThumbRow& row : rows) {
        std::vector<std::string> cells;
        for (const Field& field : row.parameters) {
            cells.push_back(to_text(field.value));
        }
        cells.insert(cells.end(),
                     {std::to_string(row.rule.passes),
                      size_text(row.rule.eager_peak),
                      size_text(row.rule.rule),
                      size_text(row.rule.need),
                      factor_text(row.rule),
                      thumb_verdict(row.rule)});
        table.add_row(cells);
    }
    const auto fail = std::ranges::count_if(
        rows, [](const ThumbRow& row) { return !row.rule.holds() && !row.rule.is_cut_short; });
    return fmt::format(
        "{}: pools of graphs by rule of thumb\n\n{}\nthe rule fails at {} of {} points\n",
        printable(scenario),
        table.text(),
        fail,
        rows.size());
}

nlohmann::ordered_json thumb_json(const std::vector<ThumbRow>& rows, const std::string& scenario) {
    nlohmann::ordered_json json{{"scenario", scenario}};
    json["points"] = nlohmann::ordered_json::array();
    for (const ThumbRow& row : rows) {
        nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
        for (const Field& field : row.parameters) {
            std::visit([&](const auto& value) { parameters[field.name] = value; }, field.value);
        }
        json["points"].push_back({{"parameters", std::move(parameters)},
                                  {"graphs", row.rule.passes},
                                  {"eager_peak_bytes", row.rule.eager_peak.count},
                                  {"rule_bytes", row.rule.rule.count},
                                  {"need_bytes", row.rule.need.count},
                                  {"short_bytes", short_by(row.rule)},
                                  {"is_cut_short", row.rule.is_cut_short},
                                  {"holds", row.rule.holds()}});
    }
    return json;
}

std::string thumb_csv(const std::vector<ThumbRow>& rows) {
    std::vector<std::string> names;
    if (!rows.empty()) {
        for (const Field& field : rows.front().parameters) {
            names.push_back(field.name);
        }
    }
    names.insert(names.end(),
                 {"graphs", "eager_peak_bytes", "rule_bytes", "need_bytes", "short_bytes"});
    std::string text = csv_line(names);
    for (const ThumbRow& row : rows) {
        std::vector<std::string> cells;
        for (const Field& field : row.parameters) {
            cells.push_back(to_text(field.value));
        }
        cells.insert(cells.end(),
                     {std::to_string(row.rule.passes),
                      std::to_string(row.rule.eager_peak.count),
                      std::to_string(row.rule.rule.count),
                      std::to_string(row.rule.need.count),
                      std::to_string(short_by(row.rule))});
        text += csv_line(cells);
    }
    return text;
}

}  // namespace highwater
