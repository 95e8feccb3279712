#pragma once

#include <optional>

#include "sim/plan/engines/engine_plan.hpp"

namespace highwater::plan {

/// What the engine's sum comes to with another share.
EngineSum sum_with(const EnginePlan& plan, double share);

/// The largest setting, to as many digits as people write, with which the sum is at most the most
/// that fits; checked by a run. None if nothing fits.
std::optional<EngineAdvice> advice_for(const EnginePlan& plan,
                                       const Lowered& lowered,
                                       const CostProfile* costs);

}  // namespace highwater::plan
