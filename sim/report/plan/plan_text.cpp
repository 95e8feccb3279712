#include "sim/report/plan/plan_text.hpp"

#include <fmt/format.h>

#include "sim/core/printable.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

// Steps between phases that change nothing are no news.
bool is_news(const std::vector<plan::PhasePeak>& peaks, std::size_t i) {
    return i == 0 || peaks[i].phase.is_written ||
           peaks[i].most.total() != peaks[i - 1].last.total();
}

std::string phase_table(const plan::Plan& plan, bool knows_driver) {
    TextTable table({{"phase", kLeft},
                     {"at most in use"},
                     {"by PyTorch"},
                     {"beside it"},
                     {"to spare"},
                     {"in use at its end"},
                     {"written at", kLeft}});
    const std::vector<plan::PhasePeak>& peaks = plan.run.peaks;
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        const Bytes total = peaks[i].most.total();
        const SourcePlace& place = peaks[i].phase.place;
        if (is_news(peaks, i)) {
            table.add_row({peaks[i].phase.name,
                           size_text(total),
                           size_text(peaks[i].most.reserved),
                           knows_driver ? size_text(peaks[i].most.driver) : "not known",
                           size_text(plan::left_of(plan.capacity, plan.allowed, peaks[i].most)),
                           size_text(peaks[i].last.total()),
                           place_text({place.file, place.line})});
        }
    }
    return table.text();
}

std::string budget_table(const plan::Plan& plan) {
    const plan::Budget& budget = plan.budget;
    TextTable table(
        {{"at the worst moment", kLeft}, {"size"}, {"+/-"}, {"bytes"}, {"from", kLeft}});
    Bytes error;
    for (const plan::BudgetLine& line : budget.lines) {
        error += line.error;
        const std::string what(name_of(line.item));
        table.add_row({line.name.empty() ? what : fmt::format("{}: {}", what, line.name),
                       size_text(line.bytes),
                       line.error == Bytes{} ? "" : size_text(line.error),
                       grouped(line.bytes.count),
                       line.source});
    }
    table.add_row({"left",
                   size_text(budget.left),
                   error == Bytes{} ? "" : size_text(error),
                   grouped(budget.left.count),
                   ""});
    if (plan.left < budget.left) {
        table.add_row({"  of which PyTorch may reserve",
                       size_text(plan.left),
                       "",
                       grouped(plan.left.count),
                       "its memory fraction"});
    }
    table.add_row({"the card", size_text(budget.capacity), "", grouped(budget.capacity.count), ""});
    return table.text();
}

std::string kv_text(const plan::Plan& plan) {
    if (!plan.kv) {
        return plan.kv_tokens ? "KV cache: not even one block fits\n" : "";
    }
    std::string text = fmt::format("KV cache: at most {} tokens ({}, {} B a token",
                                   grouped(plan.kv->tokens),
                                   size_text(plan.kv->bytes),
                                   grouped(plan.kv->per_token.count));
    if (plan.kv->block_tokens > 1) {
        text += fmt::format(", blocks of {}", plan.kv->block_tokens);
    }
    text += fmt::format("); one block more does not fit ({} simulated runs)\n", plan.kv->runs);
    if (plan.kv->held_back > Bytes{}) {
        text += fmt::format("{} tokens leave over the {} that the driver's figures may be off\n",
                            grouped(plan.kv->safe_tokens),
                            size_text(plan.kv->held_back));
    }
    if (plan.kv_tokens && plan.fits() && *plan.kv_tokens > plan.kv->tokens) {
        text += fmt::format(
            "the scenario itself takes {} tokens, and runs by luck: a smaller cache of {} does "
            "not, "
            "because close to the limit it depends on what pieces of memory are left\n",
            grouped(*plan.kv_tokens),
            grouped(plan.kv->tokens + plan.kv->block_tokens));
    } else if (plan.kv_tokens && *plan.kv_tokens <= plan.kv->block_tokens) {
        text +=
            "the scenario's own cache is one block: what it keeps free leaves no room for more\n";
    }
    return text;
}

std::string largest_text(const plan::LargestParameter& largest) {
    if (!largest.value) {
        return fmt::format("{}: not even {} fits\n", largest.name, largest.least);
    }
    if (*largest.value == largest.most) {
        return fmt::format("{}: {} fits, and more was not asked for\n", largest.name, largest.most);
    }
    return fmt::format("{}: at most {}; {} does not fit ({} runs)\n",
                       largest.name,
                       grouped(*largest.value),
                       grouped(*largest.value + 1),
                       largest.runs);
}

}  // namespace

std::string verdict_text(const plan::Plan& plan, const RunReport& report) {
    const std::optional<Failure>& failure = plan.run.ledger.failure;
    if (failure && failure->kind == Failure::Kind::kPyTorchError) {
        return fmt::format("ends in {} with an error that is not for want of memory\n{}",
                           plan.run.peaks.back().phase.name,
                           failure_text(report));
    }
    if (!failure && !plan.fits()) {
        const Failure& caught = *plan::lack_of_memory(plan.run.ledger);
        return fmt::format("does not fit on {}: `try: {}` catches that memory runs out\n{}\n",
                           size_text(plan.capacity),
                           printable(caught.tried),
                           caught.message);
    }
    if (!plan.fits()) {
        return fmt::format("does not fit on {}: it ends in {}\n{}",
                           size_text(plan.capacity),
                           plan.run.peaks.back().phase.name,
                           failure_text(report));
    }
    const std::string cache =
        plan.kv_tokens ? fmt::format(" with a KV cache of {} tokens", grouped(*plan.kv_tokens))
                       : "";
    return fmt::format("fits on {}{}, with {} to spare at its worst moment: {}\n",
                       size_text(plan.capacity),
                       cache,
                       size_text(plan.left),
                       plan.worst.phase.name);
}

// The driver's memory cannot be left out without a word.
std::string unknown_driver_text(const RunReport& report) {
    return report.costs ? ""
                        : "without a cost profile nothing is known of what is beside PyTorch but "
                          "what the scenario names: context, streams and graphs are not counted; "
                          "`cost_profile: h200-cuda13` stands in\n";
}

std::string plan_text(const plan::Plan& plan, const RunReport& report) {
    const std::string answers = kv_text(plan) + (plan.largest ? largest_text(*plan.largest) : "");
    std::string text = printable(report.scenario) + '\n' + verdict_text(plan, report) +
                       unknown_driver_text(report) + answers + '\n' +
                       phase_table(plan, report.costs.has_value()) + '\n' + budget_table(plan);
    std::string told;
    for (const std::string& notice : notices(report)) {
        told += notice + '\n';
    }
    return text + (told.empty() ? "" : '\n' + told);
}

}  // namespace highwater
