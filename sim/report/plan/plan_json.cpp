#include <nlohmann/json.hpp>

#include "sim/report/csv.hpp"
#include "sim/report/plan/plan_text.hpp"
#include "sim/report/run_json.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json in_use_json(const plan::InUse& use) {
    return {{"reserved_bytes", use.reserved.count},
            {"driver_bytes", use.driver.count},
            {"total_bytes", use.total().count}};
}

Json phase_json(const plan::PhasePeak& peak) {
    return {{"phase", peak.phase.name},
            {"file", peak.phase.place.file},
            {"line", peak.phase.place.line},
            {"peak", in_use_json(peak.most)},
            {"end", in_use_json(peak.last)}};
}

Json line_json(const plan::BudgetLine& line) {
    return {{"item", name_of(line.item)},
            {"name", line.name},
            {"bytes", line.bytes.count},
            {"error_bytes", line.error.count},
            {"source", line.source}};
}

Json budget_json(const plan::Budget& budget) {
    Json json{{"capacity_bytes", budget.capacity.count}, {"left_bytes", budget.left.count}};
    json["lines"] = Json::array();
    for (const plan::BudgetLine& line : budget.lines) {
        json["lines"].push_back(line_json(line));
    }
    return json;
}

Json kv_json(const plan::KvFit& kv) {
    return {{"tokens", kv.tokens},
            {"block_tokens", kv.block_tokens},
            {"bytes_per_token", kv.per_token.count},
            {"bytes", kv.bytes.count},
            {"safe_tokens", kv.safe_tokens},
            {"held_back_bytes", kv.held_back.count}};
}

}  // namespace

Json plan_json(const plan::Plan& plan, const RunReport& report) {
    Json json;
    json["scenario"] = report.scenario;
    json["fits"] = plan.fits();
    json["capacity_bytes"] = plan.capacity.count;
    json["left_bytes"] = plan.left.count;
    json["verdict"] = verdict_text(plan, report);
    json["phases"] = Json::array();
    for (const plan::PhasePeak& peak : plan.run.peaks) {
        json["phases"].push_back(phase_json(peak));
    }
    json["budget"] = budget_json(plan.budget);
    json["kv_cache"] = plan.kv ? kv_json(*plan.kv) : Json();
    if (plan.largest) {
        json["largest"] = {{"parameter", plan.largest->name},
                           {"value", plan.largest->value ? Json(*plan.largest->value) : Json()}};
    }
    json["run"] = run_json(report);
    return json;
}

std::string plan_csv(const plan::Plan& plan) {
    std::string text = "item,name,bytes,error_bytes,source\n";
    for (const plan::BudgetLine& line : plan.budget.lines) {
        text += csv_line({std::string(name_of(line.item)),
                          line.name,
                          std::to_string(line.bytes.count),
                          std::to_string(line.error.count),
                          line.source});
    }
    return text + csv_line({"left", "", std::to_string(plan.budget.left.count), "0", ""});
}

}  // namespace highwater
