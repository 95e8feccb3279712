#pragma once

#include "sim/plan/advice/remedy.hpp"

/// The remedies by what they are about. Each says why it is left out.
namespace highwater::plan {

void add_side_stream(const RunScenario& run, PlanRemedies& to);
void add_capture_order(const RunScenario& run, PlanRemedies& to);
void add_one_pool(const RunScenario& run, PlanRemedies& to);
void add_outputs(const RunScenario& run, PlanRemedies& to);
void add_weak_references(const RunScenario& run, PlanRemedies& to);
void add_expandable_segments(const RunScenario& run, PlanRemedies& to);
void add_split_limits(const RunScenario& run, PlanRemedies& to);
void add_workspaces(const RunScenario& run, PlanRemedies& to);
void add_fewer_buckets(const RunScenario& run, PlanRemedies& to);
void add_empty_cache(const RunScenario& run, PlanRemedies& to);

}  // namespace highwater::plan
