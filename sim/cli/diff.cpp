#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/cli/not_empty.hpp"
#include "sim/cli/output.hpp"
#include "sim/core/error.hpp"
#include "sim/report/diff/memory_diff.hpp"
#include "sim/report/run_json.hpp"
#include "sim/snapshot/read_snapshot.hpp"

namespace highwater {
namespace {

struct DiffOptions {
    std::string before;
    std::string after;
    std::string json;
    std::optional<std::uint32_t> device;
};

struct Compared {
    MemoryParts parts;
    bool is_result = false;
};

Compared compared(const std::string& path, const DiffOptions& options) {
    InputFile file(path);
    if (is_result(file)) {
        const std::string text(std::istreambuf_iterator<char>(file.stream()), {});
        return {parts_of_result(text, file.name()), true};
    }
    return {parts_of(read_snapshot(file, std::nullopt, options.device)), false};
}

MemoryDiff diff_of(const DiffOptions& options) {
    const Compared before = compared(options.before, options);
    const Compared after = compared(options.after, options);
    if (before.is_result != after.is_result) {
        throw InputError({options.after},
                         "one of the files is a snapshot, the other a result of a run",
                         "give two of a kind; `highwater run --snapshot` writes a snapshot");
    }
    return diff(before.parts, after.parts);
}

int diff_files(const DiffOptions& options) {
    const MemoryDiff found = diff_of(options);
    OutputFiles files(options.before);
    files.protect(options.after);
    if (!options.json.empty()) {
        // Neither of the two that are read may be replaced.
        OutputFiles(options.after).add("--json", options.json, "");
        files.add("--json", options.json, json_text(diff_json(found)));
    }
    files.write();
    if (!files.uses_standard_output()) {
        print(diff_tables(found));
    }
    return found.is_same() ? kDone : kAnswerIsNo;
}

constexpr const char* kDiffExample =
    "Exit status: 0 if nothing differs, 1 if something does.\n"
    "Example: what grew from one snapshot to the next\n"
    "  highwater diff monday.pickle tuesday.pickle\n"
    "Example: what a stream per layer costs\n"
    "  highwater run scenarios/aux_streams.yaml --set mode=shared --json one.json\n"
    "  highwater run scenarios/aux_streams.yaml --json many.json\n"
    "  highwater diff one.json many.json";

}  // namespace

void add_diff(CLI::App& program, Action& chosen) {
    CLI::App* command = program.add_subcommand(
        "diff", "Which pools, streams and owners of memory grew, and which shrank");
    const auto options = std::make_shared<DiffOptions>();
    command->footer(kDiffExample);
    command
        ->add_option("BEFORE",
                     options->before,
                     "A snapshot of PyTorch's memory, or what `--json` of a run wrote")
        ->required();
    command->add_option("AFTER", options->after, "Another of the same kind")->required();
    command
        ->add_option(
            "--device", options->device, "Which device of snapshots; needed if there are several")
        ->check(not_empty(kDeviceRemedy));
    command->add_option("--json", options->json, "Write exact bytes to this file; - prints them")
        ->check(not_empty("name a file, or - for standard output"));
    command->callback([&chosen, options] { chosen = [options] { return diff_files(*options); }; });
}

}  // namespace highwater
