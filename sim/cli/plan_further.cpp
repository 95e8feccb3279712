#include "sim/cli/plan_further.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/number_option.hpp"
#include "sim/core/error.hpp"
#include "sim/report/plan/advice_text.hpp"
#include "sim/scenario/expression/formula.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr const char* kTargetForm =
    "write `--target MEASURE=VALUE` for at least, as in `kv_tokens=200000`, or `MEASURE<=VALUE`";
constexpr const char* kVaryForm =
    "write `--vary PARAMETER=LEAST..MOST`, as in `chunk=1024..8192`, with commas between several";

// A number with or without a unit, and no names.
class NoNames final : public Scope {
  public:
    std::optional<Value> find(std::string_view) const override { return std::nullopt; }
    std::vector<std::string> names() const override { return {}; }
};

double target_number(const std::string& text) {
    const Value value = evaluate(parse_formula({text, {"--target"}, false}), NoNames());
    if (!is_number(value)) {
        throw InputError({"--target"}, fmt::format("`{}` is no number", quoted(text)), kTargetForm);
    }
    return as_real(value);
}

plan::Target target_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t end = equals == std::string::npos ? 0 : equals;
    const bool has_sign = end > 0 && (text[end - 1] == '<' || text[end - 1] == '>');
    const std::string name = text.substr(0, has_sign ? end - 1 : end);
    if (name.empty() || equals + 1 == text.size()) {
        throw InputError({"--target"}, fmt::format("`{}` is no target", quoted(text)), kTargetForm);
    }
    return {name, target_number(text.substr(equals + 1)), has_sign && text[end - 1] == '<'};
}

std::vector<plan::ParameterRange> all_varied(const std::vector<std::string>& options) {
    std::vector<plan::ParameterRange> all;
    for (const std::string& option : options) {
        for (std::size_t from = 0; from <= option.size();) {
            const std::size_t comma = std::min(option.find(',', from), option.size());
            all.push_back(parse_range(option.substr(from, comma - from), "--vary", kVaryForm));
            from = comma + 1;
        }
    }
    return all;
}

void check_not_set(const std::vector<plan::ParameterRange>& varied,
                   std::span<const Override> overrides) {
    for (const plan::ParameterRange& each : varied) {
        const auto set = std::ranges::find(overrides, each.name, &Override::name);
        if (set != overrides.end()) {
            throw InputError({"--vary"},
                             fmt::format("`{}` is to be varied, and --set {}={} fixes it",
                                         each.name,
                                         each.name,
                                         set->value),
                             "leave one of both out");
        }
    }
}

void check_questions(const FurtherOptions& options, const std::string& capacity) {
    if (options.smallest_card && !capacity.empty()) {
        throw InputError(
            {"--smallest-card"},
            fmt::format("it looks for a capacity, and --capacity {} gives one", quoted(capacity)),
            "leave one of both out");
    }
    if (options.target.empty() && !options.vary.empty()) {
        throw InputError({"--vary"},
                         "nothing to vary it for",
                         "say what is to be reached: `--target kv_tokens=200000`");
    }
    if (options.sequences_of < 0) {
        throw InputError({"--sequences-of"},
                         fmt::format("a sequence of {} tokens", options.sequences_of),
                         "give a length of 1 token or more");
    }
    if (!options.advice_csv.empty() && !options.advise) {
        throw InputError({"--advice-csv"}, "no advice was asked for", "add --advise");
    }
}

std::string capacity_source(const Scenario& scenario, const std::string& capacity) {
    if (!capacity.empty()) {
        return fmt::format("--capacity {}", quoted(capacity));
    }
    if (const auto* formula = std::get_if<Formula>(&scenario.machine.total_memory)) {
        return place_text(formula->source.place);
    }
    return scenario.machine.device.empty() ? fmt::format("`device` of {}", scenario.file)
                                           : fmt::format("device {}", scenario.machine.device);
}

plan::SequencesFit sequences_of(const Scenario& scenario,
                                std::span<const Override> overrides,
                                std::int64_t length) {
    const plan::SettableScenario settable(scenario, overrides, "--sequences-of");
    const auto fit = plan::most_sequences(settable.lowered_with({}), length, settable.costs());
    if (!fit) {
        throw InputError(
            {"--sequences-of"}, "the scenario has no KV cache", "add a phase `kv_cache`");
    }
    return *fit;
}

}  // namespace

void add_further_options(CLI::App& command, FurtherOptions& options) {
    command.add_flag("--advise", options.advise, "Try what would save memory, alone and together");
    command.add_option("--sequences-of",
                       options.sequences_of,
                       "How many sequences of so many tokens the KV cache can hold");
    command.add_flag(
        "--smallest-card", options.smallest_card, "The least memory of a card on which it runs");
    command.add_option(
        "--target", options.target, "What is to be reached: MEASURE=VALUE, or MEASURE<=VALUE");
    command
        .add_option("--vary",
                    options.vary,
                    "With which parameters: PARAMETER=LEAST..MOST[,...] (repeatable)")
        ->allow_extra_args(false);
    command.add_option(
        "--advice-csv", options.advice_csv, "Write the advice to this file; - prints it");
    command.add_option("--answers-csv",
                       options.answers_csv,
                       "Write the answers about sequences, cards and targets to this file");
}

FurtherAnswers further_answers(const FurtherOptions& options,
                               const Scenario& scenario,
                               std::span<const Override> overrides,
                               const std::string& capacity) {
    check_questions(options, capacity);
    FurtherAnswers answers;
    answers.inverse.capacity_from = capacity_source(scenario, capacity);
    if (!options.target.empty()) {
        const std::vector<plan::ParameterRange> varied = all_varied(options.vary);
        check_not_set(varied, overrides);
        const plan::SettableScenario settable(scenario, overrides, "--vary");
        answers.inverse.target = plan::reach_target(settable, target_of(options.target), varied);
    }
    if (options.sequences_of != 0) {
        answers.inverse.sequences = sequences_of(scenario, overrides, options.sequences_of);
    }
    if (options.smallest_card) {
        answers.inverse.card = plan::smallest_card(scenario, overrides);
    }
    if (options.advise) {
        answers.advice = plan::plan_advice(scenario, overrides);
    }
    return answers;
}

std::string further_text(const FurtherAnswers& answers) {
    const std::string inverse = inverse_text(answers.inverse);
    return (inverse.empty() ? "" : '\n' + inverse) +
           (answers.advice ? '\n' + plan_advice_text(*answers.advice) : "");
}

void add_further_json(const FurtherAnswers& answers, nlohmann::ordered_json& to) {
    to.update(inverse_json(answers.inverse));
    if (answers.advice) {
        to["advice"] = plan_advice_json(*answers.advice);
    }
}

void add_further_files(const FurtherOptions& options,
                       const FurtherAnswers& answers,
                       OutputFiles& files) {
    if (answers.advice && !options.advice_csv.empty()) {
        files.add("--advice-csv", options.advice_csv, plan_advice_csv(*answers.advice));
    }
    if (!options.answers_csv.empty()) {
        files.add("--answers-csv", options.answers_csv, inverse_csv(answers.inverse));
    }
}

}  // namespace highwater
