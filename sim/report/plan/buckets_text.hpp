#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/plan/buckets/bucket_plan.hpp"

namespace highwater {

/// For people: the list, the trade-off, other lists beside it. `scenario` is its name.
std::string bucket_plan_text(const plan::BucketPlan& plan, const std::string& scenario);

/// Exact to the byte and the row.
nlohmann::ordered_json bucket_plan_json(const plan::BucketPlan& plan, const std::string& scenario);

/// A line for each list that was run and shown.
std::string bucket_plan_csv(const plan::BucketPlan& plan);

}  // namespace highwater
