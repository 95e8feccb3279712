#include "validate/conform.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"

namespace highwater {
namespace {

void print_departure(const Departure& first) {
    print(fmt::format("  seed {}, operation {}: {}\n    expected {}\n    got      {}\n",
                      first.seed,
                      first.operation,
                      first.what,
                      first.expected,
                      first.got));
}

int conform_files(const std::vector<std::string>& files) {
    ConformReport all;
    for (const std::string& path : files) {
        const ConformReport report = conform_file(path);
        const std::string name = std::filesystem::path(path).filename().string();
        print(fmt::format("{}: {} of {} exact\n", name, report.exact, report.total));
        if (report.first) {
            print_departure(*report.first);
        }
        all.exact += report.exact;
        all.total += report.total;
    }
    print(fmt::format("total: {} of {} exact\n", all.exact, all.total));
    return all.exact == all.total ? kDone : kAnswerIsNo;
}

constexpr const char* kConformExample =
    "Example:\n"
    "  highwater conform tests/recorded/conformance/*.jsonl.gz";

}  // namespace

void add_conform(CLI::App& program, Action& chosen) {
    CLI::App* command =
        program.add_subcommand("conform", "Replay recorded allocator programs and compare");
    const auto files = std::make_shared<std::vector<std::string>>();
    command->footer(kConformExample);
    command->add_option("FILE", *files, "Recorded programs")->required();
    command->callback([&chosen, files] { chosen = [files] { return conform_files(*files); }; });
}

}  // namespace highwater
