#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/not_empty.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/size_option.hpp"
#include "sim/core/error.hpp"
#include "sim/report/history_trace.hpp"
#include "sim/report/replay_report.hpp"
#include "sim/snapshot/read_snapshot.hpp"
#include "sim/snapshot/replayed_snapshot.hpp"
#include "sim/snapshot/write_pickle.hpp"

namespace highwater {
namespace {

struct ReplayCommandOptions {
    std::string snapshot;
    std::string format = "auto";
    std::optional<std::uint32_t> device;
    std::optional<std::string> conf;
    std::string map_streams;
    std::string pools;
    std::string capture_order;
    bool drop_record_stream = false;
    std::string capacity;
    std::string profile;
    std::string json;
    std::string new_snapshot;
    std::string trace;
    bool why = false;
    bool advise = false;
};

std::optional<SnapshotFormat> format_of(const ReplayCommandOptions& options) {
    if (options.format == "auto") {
        return std::nullopt;
    }
    return options.format == "json" ? SnapshotFormat::kJson : SnapshotFormat::kPickle;
}

Changes changes_of(const ReplayCommandOptions& options) {
    Changes changes;
    changes.conf = options.conf;
    changes.map_streams = options.map_streams;
    changes.drop_record_stream = options.drop_record_stream;
    changes.profile = options.profile;
    if (!options.pools.empty()) {
        changes.pools = parse_pool_change(options.pools, "--pools");
    }
    if (!options.capture_order.empty()) {
        changes.capture_order = parse_capture_order(options.capture_order, "--capture-order");
    }
    if (!options.capacity.empty()) {
        changes.capacity = parse_size(options.capacity, "--capacity");
    }
    return changes;
}

std::vector<Field> fields_of(const ReplayCommandOptions& options, const Changes& changes) {
    std::vector<Field> fields;
    const auto add = [&fields](const char* name, const std::string& value) {
        if (!value.empty()) {
            fields.push_back({name, value});
        }
    };
    if (options.conf) {
        fields.push_back({"conf", options.conf->empty() ? std::string("\"\"") : *options.conf});
    }
    add("map_streams", options.map_streams);
    add("pools", options.pools);
    add("capture_order", options.capture_order);
    if (changes.drop_record_stream) {
        fields.push_back({"drop_record_stream", true});
    }
    if (changes.capacity) {
        fields.push_back({"capacity_bytes", static_cast<std::int64_t>(changes.capacity->count)});
    }
    add("profile", options.profile);
    return fields;
}

ReplayReport report_on(const ReplayCommandOptions& options,
                       const Snapshot& snapshot,
                       const Changes& changes) {
    ReplayReport report{.file = snapshot.name,
                        .events = snapshot.events.size(),
                        .conf = snapshot.settings.conf.value_or(""),
                        .replay = replay(snapshot),
                        .changes = fields_of(options, changes),
                        .what_if = std::nullopt,
                        .why = std::nullopt,
                        .advice = std::nullopt,
                        .notices = snapshot.notices};
    report.ooms = recorded_ooms(snapshot, report.replay.recorded.streams);
    report.captures = captures_found(report.replay.recorded);
    if (snapshot.events.empty()) {
        report.notices.emplace_back(
            "the file has no history, only what was there at its end: call "
            "torch.cuda.memory._record_memory_history() before the program allocates anything");
    }
    report.notices.insert(
        report.notices.end(), report.replay.notices.begin(), report.replay.notices.end());
    const bool asks = !report.changes.empty();
    if (!asks && !options.why && !options.advise) {
        return report;
    }
    WhatIf played = what_if(snapshot, report.replay, changes);
    if (options.why) {
        report.why = history_why(snapshot, report.replay, changes, played);
    }
    if (options.advise) {
        report.advice = history_advice(snapshot, report.replay, changes, played);
    }
    if (asks) {
        report.what_if = std::move(played);
    }
    return report;
}

void add_files(OutputFiles& files,
               const ReplayCommandOptions& options,
               const Snapshot& snapshot,
               const ReplayReport& report,
               const Changes& changes) {
    if (!options.json.empty()) {
        files.add("--json", options.json, replay_json_text(report));
    }
    if (!options.new_snapshot.empty()) {
        files.add("--snapshot",
                  options.new_snapshot,
                  to_pickle(replayed_snapshot(snapshot, report.replay, changes)));
    }
    if (!options.trace.empty()) {
        files.add("--trace", options.trace, [&](const auto& sink) {
            write_history_trace(snapshot, report.replay, changes, sink);
        });
    }
}

int replay_file(const ReplayCommandOptions& options) {
    const Snapshot snapshot = read_snapshot(options.snapshot, format_of(options), options.device);
    const Changes changes = changes_of(options);
    const ReplayReport report = report_on(options, snapshot, changes);
    OutputFiles files(options.snapshot);
    add_files(files, options, snapshot, report, changes);
    files.write();
    if (!files.uses_standard_output()) {
        print(replay_tables(report));
    }
    const bool fails = report.what_if && report.what_if->ledger.failure;
    return !is_answered(report) || fails ? kAnswerIsNo : kDone;
}

constexpr const char* kReplayExample =
    "Streams are called default, s1, s2, ... as they appear. Example: what a training run would\n"
    "have reserved with expandable segments\n"
    "  highwater replay snapshot.pickle --conf expandable_segments:True\n"
    "Example: all side streams as one, and what fits into 40 GiB\n"
    "  highwater replay snapshot.pickle --map-streams side=one --capacity 40GiB\n"
    "Example: who holds the memory, and what would save some\n"
    "  highwater replay snapshot.pickle --why --advise";

// An option with nothing behind it would count as not given.
CLI::Option* add_text(
    CLI::App& command, const char* name, std::string& value, const char* says, const char* remedy) {
    return command.add_option(name, value, says)->check(not_empty(remedy));
}

void add_input(CLI::App& command, ReplayCommandOptions& options) {
    command
        .add_option("SNAPSHOT",
                    options.snapshot,
                    "A file of torch.cuda.memory._dump_snapshot, or a history in JSON; - is "
                    "standard input")
        ->required()
        ->check(not_empty("name a file, or - for standard input"));
    command.add_option("--format", options.format, "auto, pickle or json")
        ->check(CLI::IsMember({"auto", "pickle", "json"}));
    command.add_option("--device", options.device, "Which device; needed if there are several")
        ->check(not_empty(kDeviceRemedy));
    command.add_flag("--why",
                     options.why,
                     "Where memory is at its most and at the end, who holds it, and why what was "
                     "free did not serve");
    command.add_flag("--advise",
                     options.advise,
                     "Run what-ifs beside those given, and tell what each would have saved");
}

void add_outputs(CLI::App& command, ReplayCommandOptions& options) {
    const auto add = [&command](const char* name, std::string& path, const char* says) {
        add_text(command, name, path, says, "name a file, or - for standard output");
    };
    add("--json", options.json, "Write all figures to this file; - prints them");
    add("--snapshot",
        options.new_snapshot,
        "Write what was replayed, or the what-if, as PyTorch writes snapshots; - prints it");
    add("--trace",
        options.trace,
        "Write streams, captures and memory to this file as JSON that ui.perfetto.dev opens; - "
        "prints it");
}

void add_changes(CLI::App& command, ReplayCommandOptions& options) {
    const auto add = [&command](
                         const char* name, std::string& value, const char* says, const char* give) {
        add_text(command, name, value, says, give);
    };
    // Empty is a PYTORCH_CUDA_ALLOC_CONF like any other.
    command.add_option("--conf",
                       options.conf,
                       "What if: this PYTORCH_CUDA_ALLOC_CONF, in place of all settings; empty for "
                       "PyTorch's defaults");
    add("--map-streams",
        options.map_streams,
        "What if: WHICH=TARGET,...: side, all, s3, s3-s8 or a handle, or what was "
        "allocated under a frame, s3@TEXT; to one, new, own, a stream, turns:N or "
        "per-capture",
        "give WHICH=TARGET, as side=one");
    add("--pools",
        options.pools,
        "What if: captures in one pool (shared), one each (per-graph), or none",
        "give shared, per-graph or none");
    add("--capture-order",
        options.capture_order,
        "What if: captures by size, asc or desc, or by number, as 3,1,2",
        "give asc, desc or numbers, as 3,1,2");
    command.add_flag("--drop-record-stream",
                     options.drop_record_stream,
                     "What if: frees wait for no other stream");
    add("--capacity",
        options.capacity,
        "What if: this much memory, as 40GiB",
        "give a size, as 40GiB");
    add("--profile",
        options.profile,
        "What if: this release, torch-2.1 to torch-2.15",
        "give a release, as torch-2.11");
}

}  // namespace

void add_replay(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand(
        "replay", "Replay a PyTorch memory snapshot exactly, and ask what if");
    const auto options = std::make_shared<ReplayCommandOptions>();
    command->footer(kReplayExample);
    add_input(*command, *options);
    add_changes(*command, *options);
    add_outputs(*command, *options);
    command->callback([&chosen, options] { chosen = [options] { return replay_file(*options); }; });
}

}  // namespace highwater
