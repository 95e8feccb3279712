#pragma once

#include <string>
#include <vector>

#include "sim/scenario/result/claims.hpp"

namespace highwater {

/// For people: a row a claim, a line for each that does not hold, and how many do.
std::string claims_text(const std::vector<Claim>& claims);

}  // namespace highwater
