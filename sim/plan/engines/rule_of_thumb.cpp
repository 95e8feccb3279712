#include "sim/plan/engines/rule_of_thumb.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/engine/run.hpp"
#include "sim/plan/engines/meters.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {
namespace {

Program up_to_captures(const Program& program, const std::vector<CapturedPass>& passes) {
    Program cut = program;
    cut.places = {};
    cut.ops.resize(std::ranges::max(passes, {}, &CapturedPass::end).end);
    std::size_t open = 0;
    for (const Op& op : cut.ops) {
        open += std::holds_alternative<op::Try>(op) ? 1U : 0U;
        open -= std::holds_alternative<op::EndTry>(op) ? 1U : 0U;
    }
    cut.ops.insert(cut.ops.end(), open, op::EndTry{});
    return cut;
}

// A host that does nothing for no time stands in, so that operations keep their numbers.
Program eagerly(Program program) {
    for (Op& op : program.ops) {
        if (std::holds_alternative<op::BeginCapture>(op) ||
            std::holds_alternative<op::EndCapture>(op) || std::holds_alternative<op::Replay>(op) ||
            std::holds_alternative<op::DestroyGraph>(op)) {
            op = op::HostWork{};
        }
    }
    return program;
}

// The cache is not the question, and must not be what does not fit.
Lowered with_one_block(const Lowered& lowered) {
    const bool has_cache =
        !lowered.kv_caches.empty() && lowered.kv_caches.front().per_token != Bytes{};
    return has_cache ? with_kv_cache(lowered, 1) : lowered;
}

Bytes private_pools(const Ledger& ledger) {
    Bytes sum;
    for (std::size_t i = 1; i < ledger.pools.size(); ++i) {
        sum += ledger.pools[i].reserved;
    }
    return sum;
}

}  // namespace

Program eager_program(const Lowered& lowered) {
    return eagerly(up_to_captures(lowered.program, captured_passes(lowered)));
}

ThumbRule thumb_rule(const Lowered& lowered, const CostProfile* costs) {
    const Lowered small = with_one_block(lowered);
    const std::vector<CapturedPass> passes = captured_passes(small);
    if (passes.empty()) {
        throw InputError(
            {"--rule-of-thumb"}, "the scenario captures no graphs", "ask it of one that does");
    }
    const Program captured = up_to_captures(small.program, passes);
    const MeteredRun graphs(captured, costs);
    const MeteredRun eager(eagerly(captured), costs);
    ThumbRule rule;
    for (const CapturedPass& pass : passes) {
        rule.eager_peak = std::max(
            rule.eager_peak,
            eager.peak_allocated(pass.first, pass.end) - eager.before(pass.first).allocated);
    }
    constexpr std::uint64_t kTenths = 13;
    rule.rule = Bytes{rule.eager_peak.count * kTenths / 10};
    rule.need = private_pools(graphs.ledger());
    rule.passes = passes.size();
    rule.is_cut_short = graphs.ledger().failure || eager.ledger().failure;
    return rule;
}

ThumbRule thumb_rule(const Scenario& scenario, std::span<const Override> overrides) {
    return thumb_rule(lower(scenario, resolve_parameters(scenario, overrides)), costs_of(scenario));
}

}  // namespace highwater::plan
