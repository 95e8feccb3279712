#include "gpu/run_command.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gpu/backend_module.hpp"
#include "gpu/calibrate/calibrate_command.hpp"
#include "gpu/isolated.hpp"
#include "gpu/measure.hpp"
#include "gpu/measurement_json.hpp"
#include "gpu/output_file.hpp"
#include "gpu/point.hpp"
#include "gpu/repeats.hpp"
#include "sim/core/error.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "sim/snapshot/snapshot_of.hpp"
#include "sim/snapshot/write_pickle.hpp"

namespace highwater::gpu {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kNoMeasurement = 3;
constexpr int kDefaultSeconds = 120;

constexpr const char* kExample =
    "Example: what PyTorch reserves on this machine's GPU\n"
    "  highwater-gpu run scenarios/aux_streams.yaml --backend torch --json measured.json\n"
    "Example: our own allocator, five times, on the second GPU\n"
    "  highwater-gpu run scenarios/aux_streams.yaml --backend native --device 1 --repeat 5";

struct Options {
    std::string scenario;
    std::vector<std::string> set;
    std::string backend = "torch";
    std::string modules;
    std::string json;
    std::string snapshot;
    int device = 0;
    int repeat = 1;
    int seconds = kDefaultSeconds;
};

std::string snapshot_text(const Point& point, const Measurement& measurement) {
    std::vector<StreamHandle> handles;
    for (const StreamEntry& stream : point.program.streams) {
        handles.push_back(stream.handle);
    }
    const RunHistory& history = measurement.history;
    const SimulatedMemory memory{
        measurement.ledger.segments, history.events, history.times, history.settings, handles};
    return to_pickle(snapshot_of(memory, point.name));
}

std::string summary_of(const Measurement& measurement) {
    std::uint64_t words = 0;
    for (const Corruption& found : measurement.corruption) {
        words += found.words;
    }
    std::string text = fmt::format("\nmeasured on {} with the backend {}{}{}\n",
                                   measurement.card.name,
                                   measurement.backend,
                                   measurement.framework.empty() ? "" : ", ",
                                   measurement.framework);
    text += fmt::format("corruption: {} words in {} operations; {} reads looked at\n",
                        words,
                        measurement.corruption.size(),
                        measurement.verified_reads);
    for (const std::string& warning : measurement.warnings) {
        text += fmt::format("warning: {}\n", warning);
    }
    return text;
}

// In the child: JSON, tables for people, and the snapshot if it was asked for.
std::vector<std::string> measure_once(const Options& options,
                                      const Point& point,
                                      const BackendOpener& open) {
    set_environment(point.program.machine);
    // Not given back: the process ends, and with it all that the backend has.
    Backend& backend =
        *open(options.modules, options.backend, point.program, options.device).release();
    const Measurement measurement = measure(point.program, backend, options.backend);
    return {measurement_json(point, measurement).dump(),
            run_tables(report_of(point, measurement)) + summary_of(measurement),
            options.snapshot.empty() ? "" : snapshot_text(point, measurement)};
}

int fail(const std::string& reason, int status) {
    std::fputs((reason + '\n').c_str(), stderr);
    return status;
}

int status_of(Ended::How how) {
    return how == Ended::How::kBadInput ? kBadInput : kNoMeasurement;
}

int report(const Options& options, const std::vector<Ended>& runs) {
    std::vector<Json> measured;
    for (const Ended& run : runs) {
        measured.push_back(Json::parse(run.parts.at(0)));
    }
    const Json result = merged(measured);
    if (!options.json.empty()) {
        write_file("--json", options.json, json_text(result));
    }
    if (!options.snapshot.empty()) {
        write_file("--snapshot", options.snapshot, runs.front().parts.at(2));
    }
    if (options.json != "-" && options.snapshot != "-") {
        write_file("standard output", "-", runs.front().parts.at(1));
    }
    return result.contains("failure") ? kFailed : kDone;
}

int run(const Options& options, const BackendOpener& open) {
    const Point point = read_point(options.scenario, options.set);
    std::vector<Ended> runs;
    for (int i = 0; i < options.repeat; ++i) {
        Ended& run =
            runs.emplace_back(run_isolated([&] { return measure_once(options, point, open); },
                                           std::chrono::seconds(options.seconds)));
        if (run.how == Ended::How::kBadInput) {
            return fail(run.reason, kBadInput);
        }
        if (run.how != Ended::How::kDone) {
            return fail(fmt::format("highwater-gpu: error: {}", run.reason), status_of(run.how));
        }
    }
    return report(options, runs);
}

void require_backend(const std::string& name) {
    const std::vector<std::string> known{"torch", "native", "cuda"};
    if (std::ranges::find(known, name) == known.end()) {
        throw InputError({"--backend"},
                         fmt::format("`{}` is no backend", highwater::quoted(name)),
                         suggestion(name, known, ""));
    }
}

void add_options(CLI::App& command, Options& options) {
    command.add_option("SCENARIO", options.scenario, "A scenario, or a Program's text")->required();
    command.add_option("--set", options.set, "Set a parameter: NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--backend",
                       options.backend,
                       "Who allocates: torch, PyTorch's own allocator; native, ours on cudaMalloc; "
                       "cuda, cudaMallocAsync");
    command.add_option("--device", options.device, "Which GPU, as nvidia-smi counts")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--repeat",
                    options.repeat,
                    "Run so many times, each in a process of its own: times are medians")
        ->check(CLI::PositiveNumber);
    command.add_option("--time-limit", options.seconds, "End a run after so many seconds")
        ->check(CLI::PositiveNumber);
    command.add_option("--json", options.json, "Write all figures to this file; - prints them");
    command.add_option("--snapshot",
                       options.snapshot,
                       "Write a memory snapshot to this file, as PyTorch does; - prints it");
    command.add_option("--modules", options.modules, "The folder of the backends' modules");
}

std::string own_folder() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

int run_words(const std::vector<std::string>& words,
              const BackendOpener& open,
              const ProbesOpener& probes) {
    CLI::App program("Runs scenarios on a GPU and measures what highwater predicts.",
                     "highwater-gpu");
    program.set_version_flag("--version", fmt::format("highwater-gpu {}", version()));
    program.require_subcommand(1);
    CLI::App* const command = program.add_subcommand("run", "Run a scenario on a GPU");
    command->footer(kExample);
    Options options;
    options.modules = own_folder();
    add_options(*command, options);
    CalibrateOptions calibration;
    calibration.modules = options.modules;
    const CLI::App* const calibrating = add_calibrate(program, calibration);
    try {
        program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            program.exit(error);
            return kDone;
        }
        throw InputError({"highwater-gpu"}, error.what(), "see `highwater-gpu --help`");
    }
    if (calibrating->parsed()) {
        return calibrate(calibration, probes);
    }
    require_backend(options.backend);
    return run(options, open);
}

}  // namespace

int run_gpu_command_line(const std::vector<std::string>& words,
                         const BackendOpener& open,
                         const ProbesOpener& probes) {
    try {
        return run_words(words, open, probes);
    } catch (const InputError& error) {
        return fail(error.what(), kBadInput);
    } catch (const std::exception& error) {
        return fail(fmt::format("highwater-gpu: error: {}; please report it", error.what()),
                    kNoMeasurement);
    }
}

}  // namespace highwater::gpu
