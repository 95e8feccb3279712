#pragma once

#include <optional>
#include <string>

#include "gpu/memory_backend.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// Why a backend cannot run the Program, if it cannot.
std::optional<std::string> unsupported(const Program& program, const Abilities& abilities);

}  // namespace highwater::gpu
