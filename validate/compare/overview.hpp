#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "validate/compare/compare.hpp"

namespace highwater {

/// A page's line for a run.
struct OverviewRow {
    std::string run;
    std::string allocator;
    std::string graphs;
    std::string driver;
    std::string replays;
    std::string corruption;
    std::string verdict;
};

std::vector<std::string> overview_titles();
std::vector<std::string> cells_of(const OverviewRow& row);

OverviewRow overview_row(const Comparison& comparison);

/// What was compared and how, a paragraph each.
std::vector<std::string> preface(const std::vector<Comparison>& all);

/// How well the times of one name are met.
struct TimeRow {
    /// "replay_ns", and of what.
    std::string name;
    std::size_t count = 0;
    std::size_t within = 0;
    /// Half of all are no further off, in percent of what was measured; its sign is left out.
    double median_error = 0;
    /// The median of measured less predicted, in percent of what was measured.
    double median = 0;
};
/// Of all runs with the backend, in the order of their first.
std::vector<TimeRow> time_rows_of(const std::vector<Comparison>& all, const std::string& backend);
/// In the order of their first.
std::vector<std::string> backends_in(const std::vector<Comparison>& all);

std::vector<std::string> time_titles();
std::vector<std::string> cells_of(const TimeRow& row, const std::string& backend);

/// Reasons of known differences with the runs that have them.
struct KnownReason {
    std::string reason;
    std::vector<std::string> runs;
};
std::vector<KnownReason> known_reasons(const std::vector<Comparison>& all);

}  // namespace highwater
