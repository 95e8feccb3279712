#include "sim/plan/engines/engine_plan.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/size_text.hpp"
#include "sim/plan/engines/flags.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::plan {
namespace {

std::int64_t as_signed(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

Bytes not_negative(std::int64_t bytes) {
    return bytes > 0 ? Bytes{static_cast<std::uint64_t>(bytes)} : Bytes{};
}

std::optional<std::int64_t> whole_parameter(const ParameterValues& values, std::string_view name) {
    const std::optional<Value> value = values.find(name);
    if (!value || !std::holds_alternative<std::int64_t>(*value)) {
        return std::nullopt;
    }
    return std::get<std::int64_t>(*value);
}

class EnginePlanner {
  public:
    EnginePlanner(const ParameterValues& values,
                  const Lowered& lowered,
                  const CostProfile* costs,
                  const EngineQuestion& question)
        : values_(values), lowered_(lowered), costs_(costs), question_(question) {}

    EnginePlan make() {
        plan_.engine = question_.engine;
        plan_.start_up = start_up_of(lowered_, costs_);
        plan_.per_token = lowered_.kv_caches.front().per_token;
        plan_.block_tokens = lowered_.kv_caches.front().block_tokens;
        plan_.share_is_default = !question_.share;
        plan_.share = question_.share.value_or(default_share());
        if (plan_.engine == Engine::kVllm) {
            plan_.vllm = vllm_terms();
        }
        plan_.sum = sum_with(plan_, plan_.share);
        plan_.tokens = tokens_in(plan_.sum.total(), plan_.per_token, plan_.block_tokens);
        limit_tokens();
        compare();
        warn();
        return std::move(plan_);
    }

  private:
    double default_share() {
        if (plan_.engine == Engine::kVllm) {
            constexpr double kUtilization = 0.92;  // 0.9 in older releases
            return kUtilization;
        }
        if (plan_.engine == Engine::kTensorrtLlm) {
            constexpr double kOfTheRest = 0.9;
            return kOfTheRest;
        }
        plan_.sglang = sglang_sizes();
        return sglang_fraction(*plan_.sglang);
    }

    // As the scenario has them, and else by the card.
    SglangSizes sglang_sizes() const {
        SglangSizes sizes;
        sizes.total = plan_.start_up.total;
        sizes.tensor_parallel = whole_parameter(values_, "tp").value_or(1);
        sizes.pipeline_parallel = whole_parameter(values_, "pp").value_or(1);
        const SglangTier tier = sglang_tier(sizes.total, sizes.tensor_parallel);
        sizes.chunk = whole_parameter(values_, "chunk").value_or(tier.chunk);
        for (const CaptureCost& capture : plan_.start_up.captures) {
            sizes.max_bucket = std::max(sizes.max_bucket, capture.bucket.value_or(0));
        }
        if (sizes.max_bucket == 0) {
            sizes.max_bucket = tier.max_bucket;
        }
        return sizes;
    }

    VllmTerms vllm_terms() const {
        const StartUp& start = plan_.start_up;
        return {start.total,
                plan_.share,
                start.weights(),
                start.activations(),
                start.outside(),
                question_.estimates_graphs ? start.estimate() : Bytes{},
                not_negative(start.graphs().device)};
    }

    void limit_tokens() {
        if (question_.max_tokens) {
            plan_.tokens = std::min(
                plan_.tokens, *question_.max_tokens / plan_.block_tokens * plan_.block_tokens);
        }
    }

    void compare() {
        if (plan_.start_up.failure) {
            return;
        }
        plan_.most = largest_kv_cache(lowered_, costs_);
        if (plan_.tokens > 0) {
            plan_.run = run_with_tokens(lowered_, costs_, plan_.tokens);
        }
        if (plan_.vllm && plan_.run) {
            plan_.overrun = overrun();
        }
        plan_.advice = advice_for(plan_, lowered_, costs_);
    }

    // Each owner's part of what is in use, less the term that was meant for it.
    Overrun overrun() const {
        const VllmTerms& terms = *plan_.vllm;
        Overrun over{share_of(terms.total, terms.utilization), {}, 0};
        over.total = as_signed(plan_.run->ready) - as_signed(over.budget);
        over.lines.push_back({"in use before the weights, in no term",
                              as_signed(plan_.start_up.before_load.in_use()),
                              "context, communicators"});
        const MeterDelta graphs = plan_.start_up.graphs();
        over.lines.push_back({"pools of graphs", graphs.reserved, "reserved by captures"});
        over.lines.push_back(
            {"graphs, beside PyTorch", graphs.device - graphs.reserved, "of the driver"});
        over.lines.push_back({"less their estimate", -as_signed(terms.estimate), "in the budget"});
        std::int64_t rest = over.total;
        for (const EngineTerm& line : over.lines) {
            rest -= line.bytes;
        }
        over.lines.push_back({"all else, less its terms",
                              rest,
                              "activations that are not in use now, whole blocks of the cache"});
        return over;
    }

    void warn() {
        const StartUp& start = plan_.start_up;
        if (!start.profiled) {
            plan_.warnings.emplace_back(
                "no pass stands between the weights and the captures: the engine profiles nothing, "
                "and holds back nothing for activations");
        }
        if (start.profiled && start.served_peak > start.activations()) {
            plan_.warnings.push_back(fmt::format(
                "a pass behind the captures allocates {}, and those that are profiled {}: profile "
                "the largest, in a phase before the captures",
                size_text(start.served_peak),
                size_text(start.activations())));
        }
        if (plan_.vllm && plan_.vllm->estimate >= start.total) {
            plan_.warnings.push_back(
                fmt::format("implausible: graphs are estimated to take {}, and the card has {}",
                            size_text(plan_.vllm->estimate),
                            size_text(start.total)));
        }
        if (plan_.vllm && plan_.vllm->estimate == Bytes{} && !start.captures.empty()) {
            plan_.warnings.push_back(
                fmt::format("nothing is held back for graphs: the {} that are captured take {}",
                            start.captures.size(),
                            size_text(plan_.vllm->graphs)));
        }
        if (plan_.tokens == 0 && !start.failure) {
            plan_.warnings.emplace_back("by this sum nothing is left for a KV cache");
        }
    }

    const ParameterValues& values_;
    const Lowered& lowered_;
    const CostProfile* costs_;
    const EngineQuestion& question_;
    EnginePlan plan_;
};

void require_share(const EngineQuestion& question) {
    if (question.share && !(*question.share > 0 && *question.share <= 1)) {
        throw InputError({std::string(setting_of(question.engine))},
                         fmt::format("{} is no share of memory", *question.share),
                         "write a number above 0 and at most 1");
    }
}

}  // namespace

EnginePlan plan_engine(const Scenario& scenario,
                       std::span<const Override> overrides,
                       const EngineQuestion& question) {
    require_share(question);
    const ParameterValues values = resolve_parameters(scenario, overrides);
    const Lowered lowered = lower(scenario, values);
    const CostProfile* const costs = costs_of(scenario);
    return EnginePlanner(values, lowered, costs, question).make();
}

}  // namespace highwater::plan
