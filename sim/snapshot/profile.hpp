#pragma once

#include <string>
#include <vector>

#include "sim/allocator/settings.hpp"

namespace highwater {

/// Throws `InputError` if the release is none of torch-2.1 to torch-2.15, or does not know a key of
/// the settings' text (around-allocator specification 10). An empty one is none.
void check_profile(const std::string& profile,
                   const AllocatorSettings& settings,
                   const std::string& option);

/// How the release differs from 2.11, whose rules are simulated, where that is not applied: a
/// sentence each.
std::vector<std::string> profile_notices(const std::string& profile);

}  // namespace highwater
