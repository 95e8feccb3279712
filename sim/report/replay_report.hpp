#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/run_report.hpp"
#include "sim/report/why_tables.hpp"
#include "sim/snapshot/what_if.hpp"
#include "sim/snapshot/why/history_advice.hpp"
#include "sim/snapshot/why/history_why.hpp"

namespace highwater {

/// A request of the recording that failed for want of memory.
struct RecordedOom {
    /// The file's event.
    std::size_t event = 0;
    /// Rounded.
    Bytes requested;
    Bytes device_free;
    std::string stream;
    /// A frame, if the file has any.
    std::string owner;
};

/// Those of the file, in order.
std::vector<RecordedOom> recorded_ooms(const Snapshot& snapshot, const HistoryStreams& streams);

/// A file's history replayed, and maybe what would have been.
struct ReplayReport {
    std::string file;
    std::size_t events = 0;
    /// The settings in force, as text.
    std::string conf;
    Replay replay;
    std::vector<RecordedOom> ooms{};
    std::vector<FoundCapture> captures{};
    /// What was changed, in the words of the command line: name and value.
    std::vector<Field> changes;
    std::optional<WhatIf> what_if;
    /// Of the what-if, or of the replay where there is none; if asked for.
    std::optional<HistoryWhy> why;
    std::optional<HistoryAdvice> advice;
    /// What the reader, the replay and the what-if could not know.
    std::vector<std::string> notices;
};

/// The replay as a run: the file is its scenario, its settings are its parameters.
RunReport as_run(const ReplayReport& report);
/// The same of the what-if, whose changes are the parameters. There is one.
RunReport what_if_as_run(const ReplayReport& report);

/// The names of streams that became one: all, or the first and the last of many.
std::string names_together(const std::vector<std::string>& names);

/// The names of the pools and streams of `ReplayReport::why`.
WhyNames why_names(const ReplayReport& report);

/// Whether every event was met, but for a few at the beginning that nothing is known of.
bool is_answered(const ReplayReport& report);

/// For people: whether the replay is exact, its figures, and beside them those of the what-if.
std::string replay_tables(const ReplayReport& report);

/// As the JSON of a run, with what is exact, and the what-if under `what_if` in the same form.
std::string replay_json_text(const ReplayReport& report);

}  // namespace highwater
