#pragma once

#include <string>
#include <vector>

#include "gpu/calibrate/samples.hpp"

namespace highwater::gpu {

/// What the samples say that is no term of a profile: a sentence each.
std::vector<std::string> asides_of(const Samples& samples);

}  // namespace highwater::gpu
