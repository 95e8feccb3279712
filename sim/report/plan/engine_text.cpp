#include "sim/report/plan/engine_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/printable.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

std::int64_t signed_count(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

std::string heading_text(const plan::EnginePlan& plan, const std::string& scenario) {
    const std::string default_rule =
        plan.sglang && plan.share_is_default
            ? fmt::format(": 1 - {} / {}, for chunks of {}, buckets up to {}, tp {}, pp {}",
                          size_text(plan::sglang_reserve(*plan.sglang)),
                          size_text(plan.sglang->total),
                          plan.sglang->chunk,
                          plan.sglang->max_bucket,
                          plan.sglang->tensor_parallel,
                          plan.sglang->pipeline_parallel)
            : "";
    return fmt::format("{}, as {} starts up on {}\n{} {:.4g}{}{}\n",
                       scenario,
                       name_of(plan.engine),
                       size_text(plan.start_up.total),
                       setting_of(plan.engine),
                       plan.share,
                       plan.share_is_default ? " (the default)" : "",
                       default_rule);
}

std::string sum_table(const plan::EnginePlan& plan) {
    TextTable table({{"it computes", kLeft}, {"size"}, {"bytes"}, {"from", kLeft}});
    for (const plan::EngineTerm& term : plan.sum.terms()) {
        table.add_row({term.name, size_text(term.bytes), grouped(term.bytes), term.source});
    }
    table.add_row({"for the KV cache",
                   size_text(plan.sum.total()),
                   grouped(plan.sum.total()),
                   fmt::format("{} tokens of {} B", grouped(plan.tokens), plan.per_token.count)});
    return table.text();
}

std::string estimate_text(const plan::EnginePlan& plan) {
    std::string text;
    for (const plan::GraphEstimate& each : plan.start_up.estimates) {
        text +=
            fmt::format("graphs: {}estimated {} = {} for the first + {} x {} (at least 1 MiB)\n",
                        plan.vllm->estimate == Bytes{} ? "would be " : "",
                        size_text(each.total),
                        size_text(each.first),
                        each.graphs - 1,
                        size_text(each.second));
    }
    const plan::MeterDelta graphs = plan.start_up.graphs();
    const std::int64_t over = signed_count(plan.start_up.estimate()) - graphs.device;
    text += fmt::format(
        "graphs: {} captured take {} in the run, {} of it in PyTorch's pools: the estimate is {} "
        "{}\n",
        plan.start_up.captures.size(),
        size_text(graphs.device),
        size_text(graphs.reserved),
        size_text(over < 0 ? -over : over),
        over < 0 ? "short" : "over");
    return text;
}

void add_meters(TextTable& table, const std::string& name, const plan::MeterDelta& took) {
    table.add_row(
        {name, size_text(took.allocated), size_text(took.reserved), size_text(took.device)});
}

// Neighbours are alike: the first, and the last.
std::string meter_table(const plan::EnginePlan& plan) {
    constexpr std::size_t kFirst = 3;
    const std::vector<plan::CaptureCost>& captures = plan.start_up.captures;
    TextTable table({{"a capture takes", kLeft}, {"allocated"}, {"reserved"}, {"of the device"}});
    for (std::size_t i = 0; i < captures.size(); ++i) {
        if (i < kFirst || i + 1 == captures.size()) {
            add_meters(table, captures[i].graph, captures[i].took);
        } else if (i == kFirst) {
            table.add_row({"...", "", "", ""});
        }
    }
    add_meters(table, "all", plan.start_up.graphs());
    return table.text();
}

std::string vllm_text(const plan::VllmTerms& terms) {
    plan::VllmTerms without = terms;
    without.estimate = Bytes{};
    const std::int64_t suggested = plan::vllm_suggestion(terms);
    std::string text = fmt::format(
        "without the estimate, as older releases: {} for the KV cache\n"
        "suggested once captured: {} B ({}); with graphs counted twice {} B\n",
        size_text(plan::vllm_sum(without).total()),
        grouped(suggested),
        size_text(suggested),
        grouped(plan::vllm_suggestion_counted_twice(terms)));
    if (terms.estimate > Bytes{}) {
        const double to_keep = plan::vllm_to_keep(terms);
        text += fmt::format(
            "gpu_memory_utilization {:.4f} is worth {:.4f} without the estimate; {} keeps the KV "
            "cache as large as it was\n",
            terms.utilization,
            plan::vllm_worth(terms),
            to_keep <= 1 ? fmt::format("{:.4f}", to_keep) : "no setting");
    }
    return text;
}

std::string overrun_text(const plan::Overrun& over) {
    TextTable table({{"in use when it is ready", kLeft}, {"size"}, {"bytes"}});
    for (const plan::EngineTerm& line : over.lines) {
        table.add_row({line.name, size_text(line.bytes), grouped(line.bytes)});
    }
    table.add_row({fmt::format("beyond the budget of {}", size_text(over.budget)),
                   size_text(over.total),
                   grouped(over.total)});
    return table.text();
}

std::string place_word(const SourcePlace& place) {
    return place.line == 0 ? "" : fmt::format(" ({})", place_text({place.file, place.line}));
}

std::string outcome_text(const plan::EnginePlan& plan) {
    if (plan.start_up.failure) {
        return fmt::format("does not start, even with a small KV cache: {}\n",
                           plan.start_up.failure->message);
    }
    const std::string most =
        plan.most ? fmt::format("{} tokens", grouped(plan.most->tokens)) : "not one block";
    if (!plan.run) {
        return fmt::format("KV cache: none; {} would fit\n", most);
    }
    if (plan.run->failure) {
        return fmt::format(
            "KV cache: {} tokens, and {} is the most that fits: {} too many\n"
            "it ends in {}{}: {}\n",
            grouped(plan.tokens),
            most,
            grouped(plan.tokens - (plan.most ? plan.most->tokens : 0)),
            plan.run->phase,
            place_word(plan.run->place),
            plan.run->failure->message);
    }
    const std::int64_t unused = plan.most ? plan.most->tokens - plan.tokens : 0;
    return fmt::format(
        "KV cache: {} tokens; the most that fits is {}: {} ({}) stay unused\n"
        "it serves to its end, with {} to spare at the worst moment, in {}\n",
        grouped(plan.tokens),
        most,
        grouped(unused),
        size_text(unused * signed_count(plan.per_token)),
        size_text(signed_count(plan.start_up.total) - signed_count(plan.run->worst)),
        plan.run->phase);
}

std::string advice_text(const plan::EnginePlan& plan) {
    if (!plan.advice) {
        return "";
    }
    return fmt::format("\nto paste; {} tokens, which a simulated run had to the end{}:\n  {}\n",
                       grouped(plan.advice->run.tokens),
                       plan.most && plan.most->held_back > Bytes{}
                           ? fmt::format(", with {} left over for the driver's errors",
                                         size_text(plan.most->held_back))
                           : "",
                       plan.advice->flags);
}

}  // namespace

std::string engine_text(const plan::EnginePlan& plan, const std::string& scenario) {
    std::string text = heading_text(plan, printable(scenario)) + '\n' + sum_table(plan) + '\n';
    if (!plan.start_up.captures.empty()) {
        text += meter_table(plan) + '\n';
    }
    if (plan.vllm) {
        text += plan.start_up.captures.empty() ? "" : estimate_text(plan);
        text += vllm_text(*plan.vllm) + '\n';
    }
    text += outcome_text(plan);
    if (plan.overrun) {
        text += '\n' + overrun_text(*plan.overrun);
    }
    text += advice_text(plan);
    for (const std::string& warning : plan.warnings) {
        text += fmt::format("\nwarning: {}\n", warning);
    }
    return text;
}

}  // namespace highwater
