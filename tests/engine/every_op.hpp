#pragma once

#include <string>

#include "sim/engine/program.hpp"

namespace highwater {

/// A Program with each operation, in each of its shapes, and with names that need care as text. It
/// is no Program that runs.
Program program_of_every_op();

}  // namespace highwater
