#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/plan/engines/engine_plan.hpp"
#include "sim/plan/engines/rule_of_thumb.hpp"
#include "sim/report/run_report.hpp"

namespace highwater {

/// For people: the engine's sum, its estimate of graphs beside what they take, the KV cache beside
/// the most that fits, flags to paste.
std::string engine_text(const plan::EnginePlan& plan, const std::string& scenario);

/// Exact to the byte.
nlohmann::ordered_json engine_json(const plan::EnginePlan& plan, const std::string& scenario);

/// The meters of every capture, a line each.
std::string engine_csv(const plan::EnginePlan& plan);

/// The rule of thumb at one point of a sweep.
struct ThumbRow {
    /// What the point sets.
    std::vector<Field> parameters;
    plan::ThumbRule rule;
};

std::string thumb_text(const std::vector<ThumbRow>& rows, const std::string& scenario);
nlohmann::ordered_json thumb_json(const std::vector<ThumbRow>& rows, const std::string& scenario);
std::string thumb_csv(const std::vector<ThumbRow>& rows);

}  // namespace highwater
