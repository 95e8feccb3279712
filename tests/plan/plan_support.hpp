#pragma once

#include <string>

#include "sim/scenario/lower/lower.hpp"

namespace highwater::test {

/// A card of 1 GiB without a cost profile, and a decoder of 4 layers of 10 MiB on it.
Scenario small_decoder(const std::string& phases);

Lowered lowered_of(const Scenario& scenario);

}  // namespace highwater::test
