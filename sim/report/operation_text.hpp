#pragma once

#include <string>

#include "sim/engine/program.hpp"

namespace highwater {

/// An operation for people: `alloc x on stream s (10.0 MiB)`.
std::string operation_text(const Program& program, const Op& operation);

}  // namespace highwater
