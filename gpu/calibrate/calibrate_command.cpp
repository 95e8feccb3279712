#include "gpu/calibrate/calibrate_command.hpp"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "gpu/calibrate/profile_text.hpp"
#include "gpu/output_file.hpp"
#include "gpu/refused_error.hpp"
#include "sim/core/error.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::gpu {
namespace {

constexpr const char* kCalibrateExample =
    "Example: what this machine's GPU costs, for scenarios that say `cost_profile: mine.yaml`\n"
    "  highwater-gpu calibrate --out mine.yaml --date 2026-11-30";
constexpr const char* kNothing = "none";
constexpr int kNotMeasured = 3;

void tell(const std::string& line) {
    std::fputs((line + '\n').c_str(), stderr);
}

void require_profile(const std::string& name) {
    if (name != kNothing && !find_cost_profile(name)) {
        std::vector<std::string> known = cost_profile_names();
        known.emplace_back(kNothing);
        throw InputError({"--extends"},
                         fmt::format("unknown cost profile `{}`", quoted(name)),
                         suggestion(name, known, ""));
    }
}

void tell_notices(const Samples& samples) {
    if (samples.facts.other_processes.value_or(0) > 0) {
        tell(
            "warning: other processes use this GPU: times are not to be relied on, and what the "
            "context takes is left out");
    }
    for (const std::string& notice : samples.notices) {
        tell(fmt::format("left out: {}", notice));
    }
}

}  // namespace

CLI::App* add_calibrate(CLI::App& program, CalibrateOptions& options) {
    CLI::App* const command =
        program.add_subcommand("calibrate", "Measure what a GPU and its driver cost");
    command->footer(kCalibrateExample);
    command->add_option("--out", options.out, "Write the cost profile to this file; - prints it")
        ->required();
    command
        ->add_option("--repeat",
                     options.repeat,
                     "Take times in so many processes: the profile has the medians")
        ->check(CLI::PositiveNumber);
    command->add_option(
        "--extends", options.extends, "The profile that has what is not measured; none for none");
    command->add_option("--date", options.date, "The day, for the file");
    command->add_option("--device", options.device, "Which GPU, as nvidia-smi counts")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--time-limit", options.seconds, "End a process after so many seconds")
        ->check(CLI::PositiveNumber);
    command->add_option("--modules", options.modules, "The folder of the harness's modules");
    return command;
}

int calibrate(const CalibrateOptions& options, const ProbesOpener& open) {
    require_profile(options.extends);
    require_writable("--out", options.out);
    try {
        const Samples samples = take_samples({open,
                                              options.modules,
                                              options.device,
                                              static_cast<std::size_t>(options.repeat),
                                              std::chrono::seconds(options.seconds)});
        tell_notices(samples);
        const Findings findings = findings_of(samples);
        const ProfileFacts facts{options.extends == kNothing ? "" : options.extends, options.date};
        write_file("--out", options.out, profile_text(samples, findings, facts));
    } catch (const NoMeasurement& error) {
        tell(fmt::format("highwater-gpu: error: {}", error.what()));
        return kNotMeasured;
    }
    return 0;
}

}  // namespace highwater::gpu
