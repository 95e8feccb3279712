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
#include "gpu/rank_runs.hpp"
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

enum Part : std::size_t { kJson, kTables, kSummary, kSnapshot };

// In the child: its parts.
std::vector<std::string> measure_once(const Options& options,
                                      const Point& point,
                                      const BackendOpener& open,
                                      const Rank& rank) {
    set_environment(point.program.machine);
    // Not given back: the process ends, and with it all that the backend has.
    Backend& backend = *open(options.modules, options.backend, point.program, rank).release();
    const Measurement measurement = measure(point.program, backend, options.backend, rank);
    return {measurement_json(point, measurement).dump(),
            run_tables(report_of(point, measurement)),
            summary_of(measurement),
            options.snapshot.empty() ? "" : snapshot_text(point, measurement)};
}

int fail(const std::string& reason, int status) {
    std::fputs((reason + '\n').c_str(), stderr);
    return status;
}

// Of the rank that it was measured with, over all runs; null if it was given up.
Json measured_by(std::size_t rank, const std::vector<EndedTogether>& runs) {
    std::vector<Json> measured;
    for (const EndedTogether& run : runs) {
        const Ended& ended = run.calls.at(rank);
        if (ended.how == Ended::How::kDone) {
            measured.push_back(Json::parse(ended.parts.at(kJson)));
        }
    }
    return measured.empty() ? Json(nullptr) : merged(measured);
}

// The tables of one rank, which are as the others' but for times, and what each saw.
std::string text_of(const EndedTogether& run) {
    std::string tables;
    std::string summaries;
    for (std::size_t rank = 0; rank < run.calls.size(); ++rank) {
        const Ended& ended = run.calls[rank];
        const std::string who =
            run.calls.size() > 1 ? fmt::format("\nrank {}: {}", rank, ended.reason) : "";
        summaries += who;
        if (ended.how == Ended::How::kDone) {
            tables = tables.empty() ? ended.parts.at(kTables) : tables;
            summaries += ended.parts.at(kSummary);
        }
    }
    return tables + summaries + (run.calls.size() > 1 ? "\n" : "");
}

std::string snapshot_in(const EndedTogether& run) {
    const auto measured = std::ranges::find(run.calls, Ended::How::kDone, &Ended::how);
    return measured == run.calls.end() ? "" : measured->parts.at(kSnapshot);
}

int report(const Options& options, const std::vector<EndedTogether>& runs) {
    std::vector<Json> ranks;
    for (std::size_t rank = 0; rank < runs.front().calls.size(); ++rank) {
        ranks.push_back(measured_by(rank, runs));
    }
    const Json result = gathered(ranks);
    if (!options.json.empty()) {
        write_file("--json", options.json, json_text(result));
    }
    if (!options.snapshot.empty()) {
        write_file("--snapshot", options.snapshot, snapshot_in(runs.front()));
    }
    if (options.json != "-" && options.snapshot != "-") {
        write_file("standard output", "-", text_of(runs.front()));
    }
    const bool has_failed = std::ranges::any_of(
        ranks, [](const Json& rank) { return !rank.is_null() && rank.contains("failure"); });
    return has_failed ? kFailed : kDone;
}

bool is_bad_input(const EndedTogether& run) {
    return std::ranges::find(run.calls, Ended::How::kBadInput, &Ended::how) != run.calls.end();
}

int run(const Options& options, const BackendOpener& open) {
    const Point point = read_point(options.scenario, options.set);
    const RankRuns ranks{
        point.program.machine.ranks,
        options.device,
        std::chrono::seconds(options.seconds),
        [&](const Rank& rank) { return measure_once(options, point, open, rank); }};
    std::vector<EndedTogether> runs;
    for (int i = 0; i < options.repeat; ++i) {
        const EndedTogether& run = runs.emplace_back(run_ranks(ranks));
        if (is_bad_input(run)) {
            return fail(reason_of(run), kBadInput);
        }
        if (!is_measured(run)) {
            return fail(fmt::format("highwater-gpu: error: {}", reason_of(run)), kNoMeasurement);
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
    command
        .add_option(
            "--device",
            options.device,
            "Which GPU, as nvidia-smi counts: the first of as many as the scenario has ranks")
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
