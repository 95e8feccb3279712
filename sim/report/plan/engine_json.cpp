#include <nlohmann/json.hpp>

#include "sim/report/csv.hpp"
#include "sim/report/plan/engine_text.hpp"

namespace highwater {
namespace {

using EngineJson = nlohmann::ordered_json;

EngineJson terms_json(const std::vector<plan::EngineTerm>& terms) {
    EngineJson json = EngineJson::array();
    for (const plan::EngineTerm& term : terms) {
        json.push_back({{"name", term.name}, {"bytes", term.bytes}, {"source", term.source}});
    }
    return json;
}

EngineJson meters_json(const plan::MeterDelta& took) {
    return {{"allocated_bytes", took.allocated},
            {"reserved_bytes", took.reserved},
            {"device_bytes", took.device}};
}

EngineJson graphs_json(const plan::StartUp& start) {
    EngineJson json{{"taken", meters_json(start.graphs())},
                    {"estimate_bytes", start.estimate().count}};
    json["modes"] = EngineJson::array();
    for (const plan::GraphEstimate& each : start.estimates) {
        json["modes"].push_back({{"graphs", each.graphs},
                                 {"first_bytes", each.first.count},
                                 {"second_bytes", each.second.count},
                                 {"estimate_bytes", each.total.count}});
    }
    json["captures"] = EngineJson::array();
    for (const plan::CaptureCost& capture : start.captures) {
        EngineJson line{{"graph", capture.graph}};
        line["bucket"] = capture.bucket ? EngineJson(*capture.bucket) : EngineJson();
        line.update(meters_json(capture.took));
        json["captures"].push_back(std::move(line));
    }
    return json;
}

EngineJson run_of_engine_json(const plan::EngineRun& run) {
    EngineJson json{{"tokens", run.tokens},
                    {"fits", !run.failure},
                    {"phase", run.phase},
                    {"worst_bytes", run.worst.count},
                    {"ready_bytes", run.ready.count}};
    json["failure"] = run.failure ? EngineJson(run.failure->message) : EngineJson();
    return json;
}

EngineJson vllm_json(const plan::EnginePlan& plan) {
    const plan::VllmTerms& terms = *plan.vllm;
    plan::VllmTerms without = terms;
    without.estimate = Bytes{};
    EngineJson json{
        {"kv_bytes_without_estimate", plan::vllm_sum(without).total()},
        {"suggested_kv_bytes", plan::vllm_suggestion(terms)},
        {"suggested_kv_bytes_counted_twice", plan::vllm_suggestion_counted_twice(terms)},
        {"utilization_worth", plan::vllm_worth(terms)},
        {"utilization_to_keep", plan::vllm_to_keep(terms)}};
    if (plan.overrun) {
        json["beyond_budget"] = {{"budget_bytes", plan.overrun->budget.count},
                                 {"bytes", plan.overrun->total},
                                 {"lines", terms_json(plan.overrun->lines)}};
    }
    return json;
}

EngineJson advice_json(const plan::EngineAdvice& advice) {
    EngineJson json{{"flags", advice.flags}, {"run", run_of_engine_json(advice.run)}};
    json["share"] = advice.share ? EngineJson(*advice.share) : EngineJson();
    return json;
}

}  // namespace

EngineJson engine_json(const plan::EnginePlan& plan, const std::string& scenario) {
    EngineJson json{{"scenario", scenario},
                    {"engine", name_of(plan.engine)},
                    {"setting", setting_of(plan.engine)},
                    {"share", plan.share},
                    {"share_is_default", plan.share_is_default},
                    {"capacity_bytes", plan.start_up.total.count},
                    {"fits", plan.fits()},
                    {"terms", terms_json(plan.sum.terms())},
                    {"kv_bytes", plan.sum.total()},
                    {"kv_tokens", plan.tokens},
                    {"bytes_per_token", plan.per_token.count}};
    json["most_kv_tokens"] = plan.most ? EngineJson(plan.most->tokens) : EngineJson();
    json["run"] = plan.run ? run_of_engine_json(*plan.run) : EngineJson();
    json["graphs"] = graphs_json(plan.start_up);
    if (plan.vllm) {
        json["vllm"] = vllm_json(plan);
    }
    json["advice"] = plan.advice ? advice_json(*plan.advice) : EngineJson();
    json["warnings"] = plan.warnings;
    return json;
}

std::string engine_csv(const plan::EnginePlan& plan) {
    std::string text = "graph,bucket,allocated_bytes,reserved_bytes,device_bytes\n";
    for (const plan::CaptureCost& capture : plan.start_up.captures) {
        text += csv_line({capture.graph,
                          capture.bucket ? std::to_string(*capture.bucket) : "",
                          std::to_string(capture.took.allocated),
                          std::to_string(capture.took.reserved),
                          std::to_string(capture.took.device)});
    }
    return text;
}

}  // namespace highwater
