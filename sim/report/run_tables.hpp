#pragma once

#include <string>

#include "sim/report/run_report.hpp"

namespace highwater {

/// The scenario's name and, in lines that fit a page, what it says of itself.
std::string heading(const RunReport& run);

/// A run for people: parameters, checkpoints, pools, measures, and footnotes, the failure if there
/// was one.
std::string run_tables(const RunReport& run);

/// Breaks lines at spaces so that they fit a page; what was broken before is broken anew.
std::string wrapped(const std::string& text);

/// A measure for people: one whose name ends in `_bytes` is a size.
std::string measure_text(const Field& measure);

/// One line, or nothing: from where peaks count.
std::string peaks_footnote(const RunReport& run);

/// One line: where and with what operation the Program would stop, and why. The run has failed.
/// Of what was caught, a line each.
std::string caught_text(const RunReport& run);

std::string failure_text(const RunReport& run);

}  // namespace highwater
