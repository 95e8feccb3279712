#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/plan/plan.hpp"
#include "sim/report/run_report.hpp"

namespace highwater {

/// For people: the verdict, phases, the budget at the worst moment, answers. `report` is of the
/// run that was planned.
std::string plan_text(const plan::Plan& plan, const RunReport& report);

/// Whether it fits, and with how much to spare, or where it fails: one line.
std::string verdict_text(const plan::Plan& plan, const RunReport& report);

/// Exact to the byte.
nlohmann::ordered_json plan_json(const plan::Plan& plan, const RunReport& report);

/// The budget, a line each.
std::string plan_csv(const plan::Plan& plan);

}  // namespace highwater
