#include "sim/plan/plan.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/cli/input.hpp"
#include "sim/cli/not_empty.hpp"
#include "sim/cli/number_option.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/plan_buckets.hpp"
#include "sim/cli/plan_engine.hpp"
#include "sim/cli/plan_further.hpp"
#include "sim/cli/point.hpp"
#include "sim/cli/size_option.hpp"
#include "sim/core/error.hpp"
#include "sim/report/plan/plan_text.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

struct PlanOptions {
    std::string scenario;
    std::vector<std::string> set;
    std::string capacity;
    std::string largest;
    std::string json;
    std::string csv;
    FurtherOptions further;
    BucketOptions buckets;
    EngineOptions engine;
};

// PARAMETER=LEAST..MOST.
plan::ParameterRange range_of(const std::string& text) {
    const std::string option = "--largest";
    plan::ParameterRange range =
        parse_range(text, option, "write `--largest PARAMETER=LEAST..MOST`, as in `layers=1..200`");
    if (range.least > range.most) {
        throw InputError({option},
                         fmt::format("{} is more than {}", range.least, range.most),
                         "name the least first");
    }
    return range;
}

plan::PlanQuestions questions_of(const PlanOptions& options) {
    plan::PlanQuestions questions;
    if (!options.largest.empty()) {
        questions.largest = range_of(options.largest);
    }
    return questions;
}

Scenario planned_scenario(const PlanOptions& options) {
    std::optional<Bytes> capacity;
    if (!options.capacity.empty()) {
        capacity = parse_size(options.capacity, "--capacity");
    }
    const Input input = read_input(options.scenario);
    if (input.is_program) {
        throw InputError({input.name}, "it is a Program", "plan a scenario");
    }
    Scenario scenario = load_scenario(input.text, input.name, read_scenario_file);
    return capacity ? plan::on_card(std::move(scenario), *capacity) : scenario;
}

// Buckets and engines are answered with reports of their own.
void require_one_report(const PlanOptions& options) {
    if (options.buckets.is_asked() && options.engine.asks()) {
        throw InputError(
            {"--engine"}, "another question than `--buckets-for`", "ask one at a time");
    }
    if (!options.largest.empty() && (options.buckets.is_asked() || options.engine.asks())) {
        throw InputError({"--largest"},
                         fmt::format("another question than `{}`",
                                     options.buckets.is_asked() ? "--buckets-for" : "--engine"),
                         "ask one at a time");
    }
    if (options.further.asks() && (options.buckets.is_asked() || options.engine.asks())) {
        throw InputError({options.buckets.is_asked() ? "--buckets-for" : "--engine"},
                         "its report has no room for advice, sequences, cards or targets",
                         "ask for those in a plan of their own");
    }
}

int plan_scenario(const PlanOptions& options) {
    const plan::PlanQuestions questions = questions_of(options);
    require_engine(options.engine);
    const Scenario scenario = planned_scenario(options);
    const std::vector<Override> overrides = parse_overrides(options.set);
    require_buckets_asked(options.buckets);
    require_one_report(options);
    if (options.buckets.is_asked()) {
        return plan_buckets_of(scenario, overrides, options.buckets, {options.json, options.csv});
    }
    if (options.engine.asks()) {
        return plan_engine_start(scenario, overrides, options.engine, {options.json, options.csv});
    }
    const plan::Plan plan = plan::make_plan(scenario, overrides, questions);
    const FurtherAnswers further =
        further_answers(options.further, scenario, overrides, options.capacity);
    const RunReport report = simulate(scenario, overrides).report;
    OutputFiles files(options.scenario);
    if (!options.json.empty()) {
        nlohmann::ordered_json json = plan_json(plan, report);
        add_further_json(further, json);
        files.add("--json", options.json, json.dump(1) + '\n');
    }
    if (!options.csv.empty()) {
        files.add("--csv", options.csv, plan_csv(plan));
    }
    add_further_files(options.further, further, files);
    files.write();
    if (!files.uses_standard_output()) {
        print(plan_text(plan, report) + further_text(further));
    }
    return plan.fits() ? kDone : kAnswerIsNo;
}

constexpr const char* kPlanExample =
    "Example: does it fit on 80 GiB, who has the memory, and how many KV tokens are left?\n"
    "  highwater plan scenarios/kv_contention.yaml --capacity 80GiB\n"
    "Example: the most layers that fit\n"
    "  highwater plan scenarios/measured_decoder.yaml --capacity 2GiB --largest layers=1..400\n"
    "Example: what would save memory, each tried in a run, and what is best together\n"
    "  highwater plan scenarios/decode_buckets.yaml --advise\n"
    "Example: with how few megabytes kept free there is room for 1.2 million tokens\n"
    "  highwater plan scenarios/plan_llama_70b_tp8.yaml --target kv_tokens=1200000 \\\n"
    "      --vary keep_free_mib=1024..16384\n"
    "Example: buckets for such batches that take no more than 200 MiB\n"
    "  highwater plan scenarios/bucket_choice.yaml --buckets-for lognormal:24,0.9 "
    "--bucket-budget 200MiB\n"
    "Example: what vLLM would take for its KV cache, what fits, and the flags for that\n"
    "  highwater plan scenarios/kv_contention.yaml --engine vllm --set keep_free_mib=0\n"
    "Exit status: 1 if it does not fit.";

}  // namespace

void add_plan(CLI::App& program, Action& chosen) {
    CLI::App* command =
        program.add_subcommand("plan", "Say who has the card's memory, and how much is left");
    const auto options = std::make_shared<PlanOptions>();
    command->footer(kPlanExample);
    command->add_option("SCENARIO", options->scenario, "A scenario; - is standard input")
        ->required();
    command->add_option("--set", options->set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--capacity", options->capacity, "The card's memory, as in 80GiB; else the scenario's")
        ->check(not_empty("give a size, as in 80GiB"));
    command->add_option(
        "--largest", options->largest, "The most of a parameter that fits: PARAMETER=LEAST..MOST");
    add_bucket_options(*command, options->buckets);
    command->add_option("--json", options->json, "Write all figures to this file; - prints them")
        ->check(not_empty("name a file, or - for standard output"));
    command->add_option("--csv", options->csv, "Write the budget to this file; - prints it")
        ->check(not_empty("name a file, or - for standard output"));
    add_further_options(*command, options->further);
    add_engine_options(*command, options->engine);
    command->callback(
        [&chosen, options] { chosen = [options] { return plan_scenario(*options); }; });
}

}  // namespace highwater
