#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/plan/advice/plan_advice.hpp"

namespace highwater {

/// For people: what saves memory, what it costs, what is best together, and what to write for it.
std::string plan_advice_text(const plan::PlanAdvice& advice);

/// Exact to the byte, with what was left out and why.
nlohmann::ordered_json plan_advice_json(const plan::PlanAdvice& advice);

/// A line each: what is recommended, together, and what is not because of hazards.
std::string plan_advice_csv(const plan::PlanAdvice& advice);

}  // namespace highwater
