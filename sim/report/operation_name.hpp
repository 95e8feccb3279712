#pragma once

#include <cstddef>
#include <string>

#include "sim/engine/program.hpp"

namespace highwater {

/// In two words at most, for a slice of a trace: "alloc x", "kernel y" of the first tensor that it
/// writes, "copy host_to_device".
std::string operation_name(const Program& program, const Op& operation);
/// The same of operation `op` of the Program. A kernel that a scenario has a name for has that one:
/// "attend y".
std::string operation_name(const Program& program, std::size_t op);

}  // namespace highwater
