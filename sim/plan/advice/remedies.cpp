#include "sim/plan/advice/remedy_kinds.hpp"

namespace highwater::plan {

PlanRemedies remedies_for(const RunScenario& run) {
    PlanRemedies remedies;
    add_side_stream(run, remedies);
    add_capture_order(run, remedies);
    add_one_pool(run, remedies);
    add_outputs(run, remedies);
    add_weak_references(run, remedies);
    add_expandable_segments(run, remedies);
    add_split_limits(run, remedies);
    add_workspaces(run, remedies);
    add_fewer_buckets(run, remedies);
    add_empty_cache(run, remedies);
    return remedies;
}

}  // namespace highwater::plan
