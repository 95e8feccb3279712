#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "validate/compare/compare.hpp"

namespace highwater {

/// One line for people: a figure, or the sum of one over all graphs, or all streams of a pool.
struct ReportRow {
    std::string place;
    std::string figure;
    /// With its unit.
    std::string predicted;
    std::string measured;
    std::string difference;
    /// With how many of the summed figures are equal.
    std::string verdict;
    bool is_out = false;
};

std::vector<ReportRow> report_rows(const Comparison& comparison);

/// "aux_streams, mode shared: torch".
std::string title_of(const Comparison& comparison);

/// "126 figures: 110 equal, 6 within tolerance, 4 noted, 6 known, 0 out".
std::string counts_text(const VerdictCounts& counts);

/// Reasons of known differences, each once, in order.
std::vector<std::string> reasons_in(const Comparison& comparison);

/// "hazards predicted: 2; words corrupt: 6,144, ...".
std::string corruption_text(const Comparison& comparison);

/// Of the figures of that kind: how many there are and how many are equal, "80 of 80"; "-" if there
/// are none.
std::string equal_text(const Comparison& comparison, FigureKind kind);

/// The largest difference at a checkpoint, "+68.0 MiB of 537.0 MiB"; "-" if there is none.
std::string driver_text(const Comparison& comparison);

/// By how much all replays took longer than predicted, of what was measured: "+12 %"; "-" if there
/// are none.
std::string replay_text(const Comparison& comparison);

}  // namespace highwater
