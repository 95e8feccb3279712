#pragma once

#include <string>
#include <vector>

#include "validate/compare/compare.hpp"

namespace highwater {

/// A table of every figure, for people, and why some are further off than they may be.
std::string comparison_text(const Comparison& comparison);

/// One line each: how many figures there are of each verdict.
std::string summary_text(const std::vector<Comparison>& all);

/// Everything, a figure an object.
std::string comparisons_json(const std::vector<Comparison>& all);

/// A page: what was measured on, a line a run, then each run's table.
std::string comparisons_markdown(const std::vector<Comparison>& all);

/// The same as a page that needs nothing beside itself.
std::string comparisons_html(const std::vector<Comparison>& all);

}  // namespace highwater
