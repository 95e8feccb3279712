#pragma once

#include <string>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater::test {

/// The Program of the scenario with this text.
Program lowered(const std::string& text, const std::vector<Override>& overrides = {});

/// The Program's operations as its text form writes them, a line each.
std::string ops_of(const Program& program);

/// The operations of a scenario that consists of these steps alone, with the streams `a`, `b` and
/// `many[0]` to `many[2]`, and the parameter `n`, which is 4.
std::string ops_of_steps(const std::string& steps);

/// The message with which a scenario's text is refused; its file is "s.yaml". "accepted" if it is
/// not refused.
std::string error_of(const std::string& text, const std::vector<Override>& overrides = {});

/// The same for a scenario with these steps, the first on line 5.
std::string error_of_steps(const std::string& steps);

}  // namespace highwater::test
