#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/harness.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/validated_run.hpp"
#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "validate/compare/known_differences.hpp"
#include "validate/compare/reports.hpp"

namespace highwater {
namespace {

constexpr double kPercent = 100;

struct ValidateOptions {
    std::string scenario;
    std::vector<std::string> measured;
    std::string known;
    std::optional<double> time_tolerance;
    std::string json;
    std::string markdown;
    std::string html;
    std::string gpu;
    std::string harness;
    std::vector<std::string> set;
    int repeat = 1;
    int device = 0;
};

/// The scenario that each measurement names: the one that is given, or one of a folder's.
class MeasuredScenarios {
  public:
    explicit MeasuredScenarios(std::string path) : path_(std::move(path)) {
        std::error_code ignored;
        is_folder_ = std::filesystem::is_directory(path_, ignored);
    }

    bool is_folder() const { return is_folder_; }

    const Scenario& of(const MeasuredRun& measured) {
        const std::string& name = measured.figures.scenario;
        const std::string file = is_folder_ ? file_of(name) : path_;
        auto found = loaded_.find(file);
        if (found == loaded_.end()) {
            Scenario scenario = load_scenario(read_scenario_file(file), file, read_scenario_file);
            found = loaded_.emplace(file, std::move(scenario)).first;
        }
        if (found->second.name != name) {
            throw InputError({measured.file},
                             fmt::format("it was measured with the scenario `{}`, and this is `{}`",
                                         highwater::quoted(name),
                                         found->second.name),
                             "give the scenario that was measured");
        }
        return found->second;
    }

  private:
    // In the folder, or else in one of its folders.
    std::string file_of(const std::string& name) const {
        const std::string file = fmt::format("{}/{}.yaml", path_, name);
        std::error_code ignored;
        std::set<std::string> below;
        for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
            const std::filesystem::path there = entry.path() / (name + ".yaml");
            if (std::filesystem::exists(there, ignored)) {
                below.insert(there.string());
            }
        }
        return std::filesystem::exists(file, ignored) || below.empty() ? file : *below.begin();
    }

    std::string path_;
    bool is_folder_ = false;
    std::map<std::string, Scenario> loaded_;
};

// What is asked for here goes before what the scenario states.
Tolerances tolerances_for(const Scenario& scenario, const ValidateOptions& options) {
    const StatedTolerances& stated = scenario.tolerances;
    Tolerances tolerances;
    tolerances.is_time_promised = stated.time.has_value();
    tolerances.time = options.time_tolerance ? *options.time_tolerance / kPercent
                                             : stated.time.value_or(Tolerances::kTime);
    if (stated.driver) {
        tolerances.driver = static_cast<std::int64_t>(stated.driver->count);
    }
    return tolerances;
}

std::vector<Comparison> compare_all(const ValidateOptions& options,
                                    MeasuredScenarios& scenarios,
                                    std::vector<MeasuredRun> runs) {
    std::vector<Comparison> all;
    for (MeasuredRun& measured : runs) {
        const Scenario& scenario = scenarios.of(measured);
        all.push_back(validated(scenario, std::move(measured), tolerances_for(scenario, options)));
    }
    return all;
}

// A difference that no run has any more would hide the next one.
std::string excuse_all(const ValidateOptions& options, std::vector<Comparison>& all) {
    if (options.known.empty()) {
        return "";
    }
    const std::vector<KnownDifference> known = read_known_differences(options.known);
    std::vector<bool> needed(known.size(), false);
    for (Comparison& comparison : all) {
        const std::vector<bool> by_this = excuse(comparison, known);
        for (std::size_t i = 0; i < known.size(); ++i) {
            needed[i] = needed[i] || by_this[i];
        }
    }
    std::string text;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (!needed[i]) {
            text +=
                fmt::format("known difference {} of {} is in none of them\n", i + 1, known.size());
        }
    }
    return text;
}

int report_comparisons(const ValidateOptions& options,
                       std::vector<Comparison> all,
                       bool has_tables) {
    const std::string not_needed = excuse_all(options, all);
    OutputFiles files(options.scenario);
    for (const std::string& measured : options.measured) {
        files.protect(measured);
    }
    if (!options.known.empty()) {
        files.protect(options.known);
    }
    if (!options.json.empty()) {
        files.add("--json", options.json, comparisons_json(all));
    }
    if (!options.markdown.empty()) {
        files.add("--markdown", options.markdown, comparisons_markdown(all));
    }
    if (!options.html.empty()) {
        files.add("--html", options.html, comparisons_html(all));
    }
    files.write();
    if (!files.uses_standard_output()) {
        for (const Comparison& comparison : all) {
            print(has_tables ? comparison_text(comparison) + '\n' : "");
        }
        print(summary_text(all) + not_needed);
    }
    const bool is_any_out = std::ranges::any_of(
        all, [](const Comparison& comparison) { return counts_of(comparison.figures).out > 0; });
    return is_any_out ? kAnswerIsNo : kDone;
}

int nothing_measured(const std::string& reason) {
    std::fputs(fmt::format("highwater: nothing was compared: {}\n", reason).c_str(), stderr);
    return kNothingMeasured;
}

std::vector<std::string> harness_words(const ValidateOptions& options, const std::string& json) {
    std::vector<std::string> words{"run", options.scenario, "--backend", options.gpu};
    for (const std::string& set : options.set) {
        words.insert(words.end(), {"--set", set});
    }
    words.insert(words.end(), {"--device", std::to_string(options.device)});
    words.insert(words.end(), {"--repeat", std::to_string(options.repeat), "--json", json});
    return words;
}

int measure_and_compare(const ValidateOptions& options) {
    MeasuredScenarios scenarios(options.scenario);
    if (scenarios.is_folder()) {
        throw InputError({options.scenario}, "it is a folder", "name one scenario for `--gpu`");
    }
    const std::string harness =
        options.harness.empty() ? harness_beside_this().value_or("") : options.harness;
    if (harness.empty()) {
        return nothing_measured(
            "there is no highwater-gpu beside this program; build it as gpu/README.md says, or "
            "name it with `--harness`");
    }
    const ScratchFile json;
    const std::optional<int> status = run_harness(harness, harness_words(options, json.path()));
    if (status == kBadInput) {
        return kBadInput;
    }
    if (!status) {
        return nothing_measured(fmt::format("{} cannot be run", harness));
    }
    if ((status != kDone && status != kAnswerIsNo) || json.is_empty()) {
        return nothing_measured(fmt::format("{} measured nothing", harness));
    }
    std::vector<MeasuredRun> runs = read_measured(json.path());
    for (MeasuredRun& run : runs) {
        run.file = "this machine";
    }
    return report_comparisons(options, compare_all(options, scenarios, std::move(runs)), true);
}

int validate_scenario(const ValidateOptions& options) {
    if (!options.gpu.empty()) {
        return measure_and_compare(options);
    }
    if (options.measured.empty()) {
        throw InputError({"highwater validate"},
                         "there is nothing to compare with",
                         "give `--measured FILE`, or `--gpu BACKEND` where a card is");
    }
    std::vector<MeasuredRun> runs;
    for (const std::string& file : options.measured) {
        std::ranges::move(read_measured(file), std::back_inserter(runs));
    }
    MeasuredScenarios scenarios(options.scenario);
    return report_comparisons(
        options, compare_all(options, scenarios, std::move(runs)), !scenarios.is_folder());
}

constexpr const char* kValidateExample =
    "Example: a measurement that gpu/README.md says how to make\n"
    "  highwater validate scenarios/aux_streams.yaml --measured measured.json\n"
    "Example: on a machine with a card, in one step\n"
    "  highwater validate scenarios/aux_streams.yaml --gpu torch --set mode=shared\n"
    "Exit status: 1 if a figure is out of tolerance, 3 if nothing could be measured.";

void add_sources(CLI::App& command, ValidateOptions& options) {
    command
        .add_option(
            "SCENARIO", options.scenario, "A scenario, or the folder of those that were measured")
        ->required();
    CLI::Option* measured = command.add_option(
        "--measured", options.measured, "Compare with what `highwater-gpu run --json` wrote");
    CLI::Option* gpu =
        command
            .add_option("--gpu",
                        options.gpu,
                        "Measure on this machine's card, and compare: torch, native or cuda")
            ->excludes(measured);
    command.add_option("--harness", options.harness, "The program highwater-gpu")->needs(gpu);
    command
        .add_option("--device",
                    options.device,
                    "Which card: the first of as many as the scenario has ranks")
        ->needs(gpu)
        ->check(CLI::NonNegativeNumber);
    command.add_option("--repeat", options.repeat, "Measure so many times: times are medians")
        ->needs(gpu)
        ->check(CLI::PositiveNumber);
    command.add_option("--set", options.set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false)
        ->needs(gpu);
}

void add_reports(CLI::App& command, ValidateOptions& options) {
    const auto named = [](const std::string& path) {
        return std::string(path.empty() ? "name a file, or - for standard output" : "");
    };
    command.add_option("--json", options.json, "Write all figures to this file; - prints them")
        ->check(named);
    command.add_option("--markdown", options.markdown, "Write a report; - prints it")->check(named);
    command.add_option("--html", options.html, "Write the report as a page; - prints it")
        ->check(named);
}

}  // namespace

void add_validate(CLI::App& program, Action& chosen) {
    CLI::App* command =
        program.add_subcommand("validate", "Compare predictions with measurements on a card");
    const auto options = std::make_shared<ValidateOptions>();
    command->footer(kValidateExample);
    add_sources(*command, *options);
    add_reports(*command, *options);
    command->add_option("--known",
                        options->known,
                        "Known differences and their reasons, as validate/README.md says");
    command
        ->add_option("--time-tolerance",
                     options->time_tolerance,
                     "How far off times may be, in percent: else what the scenario states, "
                     "or 25")
        ->check([](const std::string& given) {
            double percent = 0;
            const bool is_percent =
                CLI::detail::lexical_cast(given, percent) && percent >= 0 && std::isfinite(percent);
            return std::string(is_percent ? "" : "give a number of percent from 0, as in 25");
        });
    command->callback(
        [&chosen, options] { chosen = [options] { return validate_scenario(*options); }; });
}

}  // namespace highwater
