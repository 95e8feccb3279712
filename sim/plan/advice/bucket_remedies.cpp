// The order of captures, and how many there are.
#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/plan/advice/remedy_kinds.hpp"
#include "sim/plan/advice/scenario_edits.hpp"

namespace highwater::plan {
namespace {

using BucketNumbers = std::vector<std::int64_t>;

// Changes the lists of captures in the order of `captured_buckets`.
using SpecEdit = std::function<void(BucketSpec&, const BucketNumbers&)>;

std::vector<BucketNumbers> lists_of(Scenario& copy,
                                    const RunScenario& run,
                                    const std::vector<BucketSpec*>& specs) {
    std::vector<BucketNumbers> lists;
    for (const BucketSpec* spec : specs) {
        lists.push_back(buckets_of(copy, run.values, *spec).value_or(BucketNumbers{}));
    }
    return lists;
}

bool is_in_order(const BucketNumbers& buckets, const std::string& order) {
    return order == "asc" ? std::ranges::is_sorted(buckets)
                          : std::ranges::is_sorted(buckets, std::greater<>());
}

std::string order_change(const Scenario& scenario,
                         const BucketSpec& spec,
                         const std::string& order) {
    return spec.order ? change_of(scenario, *spec.order, "order", order)
                      : change_at(spec.place, "order: " + order);
}

void put_captures_in_order(Scenario& scenario, const std::string& order) {
    for (BucketSpec* spec : captured_buckets(scenario, capturing_phases(scenario))) {
        spec->order = made_up(order);
    }
}

// From the largest down, in the order of before.
BucketNumbers every_second(const BucketNumbers& buckets) {
    BucketNumbers sorted = buckets;
    std::ranges::sort(sorted, std::greater<>());
    BucketNumbers kept;
    for (std::size_t i = 0; i < sorted.size(); i += 2) {
        kept.push_back(sorted[i]);
    }
    BucketNumbers in_order;
    std::ranges::copy_if(buckets, std::back_inserter(in_order), [&](std::int64_t each) {
        return std::ranges::find(kept, each) != kept.end();
    });
    return in_order;
}

void keep_only(BucketSpec& spec, const BucketNumbers& buckets) {
    spec.items.clear();
    for (const std::int64_t each : buckets) {
        spec.items.push_back(made_up_formula(std::to_string(each)));
    }
    spec.list.reset();
    spec.range.clear();
    spec.powers_of_two.clear();
    spec.min.reset();
    spec.max.reset();
}

std::string fewer_change(const Scenario& scenario,
                         const BucketSpec& spec,
                         const BucketNumbers& kept) {
    const std::string numbers = fmt::format("{}", fmt::join(kept, ","));
    return spec.list ? change_of(scenario, *spec.list, "list", numbers)
                     : change_at(spec.place, fmt::format("[{}]", numbers));
}

}  // namespace

void add_capture_order(const RunScenario& run, PlanRemedies& to) {
    constexpr std::array kOrders{std::pair("desc", "capture the largest bucket first"),
                                 std::pair("asc", "capture the smallest bucket first")};
    Scenario copy = run.scenario;
    const auto specs = captured_buckets(copy, capturing_phases(copy, run.lowered.phases));
    const std::vector<BucketNumbers> lists = lists_of(copy, run, specs);
    for (const auto& [order, text] : kOrders) {
        const auto other = std::ranges::find_if(
            lists, [&, word = order](const auto& each) { return !is_in_order(each, word); });
        if (other == lists.end()) {
            to.left_out.push_back(
                {text, specs.empty() ? "no phase captures buckets" : "they are in that order"});
            continue;
        }
        const BucketSpec& spec = *specs[static_cast<std::size_t>(other - lists.begin())];
        to.possible.push_back(
            {text,
             order_change(run.scenario, spec, order),
             "order",
             [word = std::string(order)](Scenario& each) { put_captures_in_order(each, word); }});
    }
}

void add_fewer_buckets(const RunScenario& run, PlanRemedies& to) {
    const std::string text = "capture every second bucket";
    Scenario copy = run.scenario;
    const auto specs = captured_buckets(copy, capturing_phases(copy, run.lowered.phases));
    const std::vector<BucketNumbers> lists = lists_of(copy, run, specs);
    const auto longest = std::ranges::max_element(lists, {}, &BucketNumbers::size);
    if (longest == lists.end() || longest->size() < 3) {
        to.left_out.push_back(
            {text, specs.empty() ? "no phase captures buckets" : "there are hardly any"});
        return;
    }
    const BucketSpec& spec = *specs[static_cast<std::size_t>(longest - lists.begin())];
    const auto apply = [lists, phases = run.lowered.phases](Scenario& scenario) {
        const auto changed = captured_buckets(scenario, capturing_phases(scenario, phases));
        for (std::size_t i = 0; i < changed.size() && i < lists.size(); ++i) {
            if (lists[i].size() >= 3) {
                keep_only(*changed[i], every_second(lists[i]));
            }
        }
    };
    to.possible.push_back(
        {text, fewer_change(run.scenario, spec, every_second(*longest)), "buckets", apply});
}

}  // namespace highwater::plan
