#include "sim/plan/advice/trial.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/hazards/hazard_detector.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/peaks.hpp"

namespace highwater::plan {
namespace {

// As far as that goes: a card of any size has room for what one of 16 times the size has.
constexpr std::uint64_t kLargerCard = 16;

// One block where the run did not come so far.
std::optional<std::int64_t> compared_tokens(const Lowered& lowered, const Ledger& ledger) {
    const bool has_cache =
        !lowered.kv_caches.empty() && lowered.kv_caches.front().per_token != Bytes{};
    return has_cache
               ? std::optional(
                     kv_tokens_in(lowered, ledger).value_or(lowered.kv_caches.front().block_tokens))
               : std::nullopt;
}

void put_on_larger_card(Lowered& lowered) {
    Machine& machine = lowered.program.machine;
    machine.memory_fraction = 1;
    machine.total_memory =
        std::min(kMaxTotalMemory, Bytes{machine.total_memory.count * kLargerCard});
}

Need need_of(const PlannedRun& run) {
    Need need;
    need.peak = worst_of(run).most.total();
    if (run.ledger.times) {
        need.elapsed = run.ledger.times->end - Instant{};
        need.capturing = Duration{};
        for (const GraphRow& graph : run.ledger.graphs) {
            *need.capturing += graph.capture_time + graph.instantiate_time;
        }
    }
    return need;
}

}  // namespace

Trials::Trials(const Scenario& scenario, std::span<const Override> overrides)
    : scenario_(scenario),
      values_(resolve_parameters(scenario, overrides)),
      costs_(costs_of(scenario)),
      lowered_(lower(scenario, values_)),
      base_{scenario_, values_, lowered_} {
    const Ledger ledger = run(lowered_, need_);
    fits_ = has_room(ledger);
    tokens_ = compared_tokens(lowered_, ledger);
    if (!fits_) {
        need_ = need_with({}).need.value_or(need_);
    }
}

Ledger Trials::run(const Lowered& lowered, Need& need) {
    ++runs_;
    PlannedRun run = run_phases(lowered, costs_);
    need = need_of(run);
    return std::move(run.ledger);
}

Lowered Trials::lowered_with(const Choice& remedies) const {
    if (remedies.empty()) {
        return lowered_;
    }
    Scenario changed = scenario_;
    for (const PlanRemedy* each : remedies) {
        each->apply(changed);
    }
    return lower(changed, values_);
}

Lowered Trials::compared_with(const Choice& remedies) const {
    Lowered lowered = lowered_with(remedies);
    if (tokens_) {
        lowered = with_kv_cache(std::move(lowered), *tokens_);
    }
    if (!fits_) {
        put_on_larger_card(lowered);
    }
    return lowered;
}

Trials::Outcome Trials::need_with(const Choice& remedies) {
    try {
        Need need;
        const Ledger ledger = run(compared_with(remedies), need);
        return ledger.failure ? Outcome{{}, ledger.failure->message} : Outcome{need, {}};
    } catch (const InputError& error) {
        return {{}, error.problem()};
    }
}

bool Trials::fits_with(const Choice& remedies) {
    Need need;
    return has_room(run(lowered_with(remedies), need));
}

HazardCounts Trials::hazards_with(const Choice& remedies) {
    ++runs_;
    const Lowered lowered = compared_with(remedies);
    RunOptions options;
    options.costs = costs_;
    HazardCounts counts{};
    for (const Hazard& each : find_hazards(lowered.program, options)) {
        ++counts.at(static_cast<std::size_t>(each.kind));
    }
    return counts;
}

std::optional<std::int64_t> Trials::kv_tokens_with(const Choice& remedies) {
    const std::optional<KvFit> fit = largest_kv_cache(lowered_with(remedies), costs_);
    runs_ += fit ? fit->runs : 0;
    return fit ? std::optional(fit->tokens) : std::nullopt;
}

}  // namespace highwater::plan
