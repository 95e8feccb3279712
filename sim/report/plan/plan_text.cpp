#include "sim/report/plan/plan_text.hpp"

#include <fmt/format.h>

#include "sim/report/run_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

std::string where_text(const SourcePlace& place) {
    return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::string phase_table(const plan::Plan& plan) {
    TextTable table({{"phase", kLeft},
                     {"at most in use"},
                     {"by PyTorch"},
                     {"beside it"},
                     {"to spare"},
                     {"in use at its end"},
                     {"written at", kLeft}});
    for (const plan::PhasePeak& peak : plan.run.peaks) {
        const Bytes total = peak.most.total();
        table.add_row({peak.phase.name,
                       size_text(total),
                       size_text(peak.most.reserved),
                       size_text(peak.most.driver),
                       size_text(plan.capacity > total ? plan.capacity - total : Bytes{}),
                       size_text(peak.last.total()),
                       where_text(peak.phase.place)});
    }
    return table.text();
}

std::string budget_table(const plan::Budget& budget) {
    TextTable table(
        {{"at the worst moment", kLeft}, {"size"}, {"+/-"}, {"bytes"}, {"from", kLeft}});
    for (const plan::BudgetLine& line : budget.lines) {
        const std::string what(name_of(line.item));
        table.add_row({line.name.empty() ? what : fmt::format("{}: {}", what, line.name),
                       size_text(line.bytes),
                       line.error == Bytes{} ? "" : size_text(line.error),
                       grouped(line.bytes.count),
                       line.source});
    }
    table.add_row({"left", size_text(budget.left), "", grouped(budget.left.count), ""});
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
    text += fmt::format("); one block more does not fit ({} runs)\n", plan.kv->runs);
    if (plan.kv_tokens && plan.fits() && *plan.kv_tokens > plan.kv->tokens) {
        text += fmt::format(
            "the scenario itself takes {} tokens, and runs by luck: a smaller cache of {} does "
            "not, "
            "because close to the limit it depends on what pieces of memory are left\n",
            grouped(*plan.kv_tokens),
            grouped(plan.kv->tokens + plan.kv->block_tokens));
    } else if (plan.kv_tokens) {
        text += fmt::format("the scenario itself takes {} tokens\n", grouped(*plan.kv_tokens));
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
                       *largest.value,
                       *largest.value + 1,
                       largest.runs);
}

}  // namespace

std::string verdict_text(const plan::Plan& plan, const RunReport& report) {
    if (!plan.fits()) {
        return fmt::format("does not fit on {}: it ends in {}\n{}",
                           size_text(plan.capacity),
                           plan.run.peaks.back().phase.name,
                           failure_text(report));
    }
    return fmt::format("fits on {}, with {} to spare at its worst moment, in {}\n",
                       size_text(plan.capacity),
                       size_text(plan.left),
                       plan.worst.phase.name);
}

std::string plan_text(const plan::Plan& plan, const RunReport& report) {
    std::string text = report.scenario + '\n' + verdict_text(plan, report) + '\n' +
                       phase_table(plan) + '\n' + budget_table(plan.budget);
    const std::string answers = kv_text(plan) + (plan.largest ? largest_text(*plan.largest) : "");
    text += answers.empty() ? "" : '\n' + answers;
    for (const std::string& notice : notices(report)) {
        text += fmt::format("\n{}\n", notice);
    }
    return text;
}

}  // namespace highwater
