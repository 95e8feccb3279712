#include "sim/snapshot/other_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/snapshot/read_snapshot.hpp"

namespace highwater {
namespace {

using namespace std::string_view_literals;

constexpr const char* kWriteOne =
    "write one with torch.cuda.memory._dump_snapshot(\"FILE.pickle\"), after "
    "torch.cuda.memory._record_memory_history()";

struct Other {
    // How it begins, or how its name ends, whichever is given.
    std::string_view begin;
    std::string_view name_end;
    std::string_view is;
    std::string_view remedy;
};

constexpr std::array kOthers{
    Other{"PK\x03\x04", {}, "a zip archive, as torch.save writes", kWriteOne},
    // The magic number of torch.save before PyTorch 1.6.
    Other{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
          {},
          "a file of torch.save, in its old format",
          kWriteOne},
    Other{{}, ".yaml", "a scenario by its name", "run it with `highwater run`"},
    Other{{}, ".yml", "a scenario by its name", "run it with `highwater run`"},
    Other{"highwater-program", {}, "a Program", "run it with `highwater run`"},
    Other{"SQLite format 3", {}, "an SQLite database, as nsys export writes", kWriteOne},
    Other{{}, ".nsys-rep", "a report of Nsight Systems by its name", kWriteOne},
    Other{{}, ".qdrep", "a report of Nsight Systems by its name", kWriteOne},
    Other{{}, ".ncu-rep", "a report of Nsight Compute by its name", kWriteOne},
    Other{"<", {}, "a page or XML, as torch.cuda._memory_viz writes", kWriteOne},
    Other{"\x7f"
          "ELF",
          {},
          "a program or a library",
          kWriteOne},
};

bool is_it(const InputFile& file, const Other& other) {
    return other.name_end.empty() ? file.beginning().starts_with(other.begin)
                                  : file.name().ends_with(other.name_end);
}

// The profiler's traces, and ours.
bool is_timeline(std::string_view begin) {
    return begin.starts_with('{') &&
           std::ranges::any_of(
               std::array{"\"schemaVersion\""sv, "\"traceEvents\""sv, "\"displayTimeUnit\""sv},
               [begin](std::string_view key) { return begin.find(key) != std::string_view::npos; });
}

}  // namespace

bool is_result(const InputFile& file) {
    // Both are JSON, but only a result begins with who wrote it.
    return file.beginning().starts_with('{') &&
           file.beginning().find("\"highwater\"") != std::string_view::npos;
}

void refuse_others(const InputFile& file) {
    if (is_result(file)) {
        throw InputError(
            {file.name()},
            "this is a result of highwater, and no memory history",
            "compare results with `highwater diff`, or write a history with `highwater "
            "run --snapshot`");
    }
    if (is_timeline(file.beginning())) {
        throw InputError({file.name()},
                         "this is a timeline, as torch.profiler writes, and no memory history",
                         kWriteOne);
    }
    const auto* const found =
        std::ranges::find_if(kOthers, [&file](const Other& other) { return is_it(file, other); });
    if (found != kOthers.end()) {
        throw InputError({file.name()},
                         fmt::format("this is {}, and no memory history", found->is),
                         std::string(found->remedy));
    }
}

}  // namespace highwater
