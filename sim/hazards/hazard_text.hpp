#pragma once

#include <string>

#include "sim/engine/program.hpp"
#include "sim/hazards/hazard.hpp"

namespace highwater {

/// What is wrong, with both operations and where they were written.
std::string hazard_problem(const Program& program, const Hazard& hazard);

/// What to do about it.
std::string hazard_remedy(const Program& program, const Hazard& hazard);

/// In one line: `FILE:LINE: what is wrong; what to do`. The place is the second operation's.
std::string hazard_text(const Program& program, const Hazard& hazard);

}  // namespace highwater
