#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/report/csv.hpp"
#include "sim/report/plan/buckets_text.hpp"

namespace highwater {
namespace {

nlohmann::ordered_json list_json(const plan::BucketListFigures& figures) {
    nlohmann::ordered_json json;
    json["name"] = figures.name;
    json["buckets"] = figures.list;
    json["padding"] = figures.padding;
    json["eager_batches"] = figures.eager_batches;
    json["memory_bytes"] = figures.memory().count;
    json["pool_bytes"] = figures.run.growth.reserved.count;
    json["driver_bytes"] = figures.run.growth.driver.count;
    json["expected_bytes"] =
        figures.expected ? nlohmann::ordered_json(figures.expected->count) : nullptr;
    json["failure"] =
        figures.is_confirmed() ? nullptr : nlohmann::ordered_json(figures.run.failure);
    return json;
}

std::string list_csv(const std::string& kind, const plan::BucketListFigures& figures) {
    return csv_line({kind,
                     figures.name,
                     std::to_string(figures.list.size()),
                     std::to_string(figures.padding),
                     std::to_string(figures.eager_batches),
                     std::to_string(figures.run.growth.reserved.count),
                     std::to_string(figures.run.growth.driver.count),
                     figures.run.failure,
                     fmt::format("{}", fmt::join(figures.list, " "))});
}

}  // namespace

nlohmann::ordered_json bucket_plan_json(const plan::BucketPlan& plan, const std::string& scenario) {
    nlohmann::ordered_json json;
    json["scenario"] = scenario;
    json["set"] = plan.set;
    json["cost"] = plan.cost == plan::BucketCost::kRows ? "rows" : "ns";
    json["batches"] = plan.batches;
    json["largest_batch"] = plan.largest_batch;
    json["needed"] = plan.needed;
    json["budget_bytes"] = plan.budget.count;
    json["budget_is_given"] = plan.is_budget_given;
    json["max_buckets"] = plan.max_buckets ? nlohmann::ordered_json(*plan.max_buckets) : nullptr;
    json["chosen"] = plan.chosen ? list_json(plan.curve[*plan.chosen]) : nullptr;
    for (const auto* key : {"curve", "others"}) {
        json[key] = nlohmann::ordered_json::array();
        for (const auto& figures : key == std::string("curve") ? plan.curve : plan.others) {
            json[key].push_back(list_json(figures));
        }
    }
    json["model"] = {{"most_above_bytes", plan.error.most_above.count},
                     {"most_below_bytes", plan.error.most_below.count},
                     {"unit_bytes", plan.unit.count},
                     {"unit_is_exact", plan.is_unit_exact},
                     {"refused", plan.error.refused}};
    json["driver_is_known"] = plan.knows_driver;
    json["candidates"] = plan.candidates;
    json["runs"] = plan.runs;
    json["search_steps"] = plan.search_steps;
    return json;
}

std::string bucket_plan_csv(const plan::BucketPlan& plan) {
    std::string text =
        "kind,name,buckets,padding,eager_batches,pool_bytes,driver_bytes,failure,list\n";
    for (std::size_t i = 0; i < plan.curve.size(); ++i) {
        text += list_csv(i == plan.chosen ? "chosen" : "curve", plan.curve[i]);
    }
    for (const plan::BucketListFigures& figures : plan.others) {
        text += list_csv("other", figures);
    }
    return text;
}

}  // namespace highwater
