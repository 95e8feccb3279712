#pragma once

#include <string>

#include "sim/engine/ledger.hpp"

namespace highwater {

/// Memory against time, in bytes and nanoseconds: a line for each moment from which on it is so.
/// All times are 0 without a cost profile.
std::string memory_csv(const Ledger& ledger);

}  // namespace highwater
