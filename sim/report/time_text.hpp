#pragma once

#include <string>

#include "sim/core/time.hpp"

namespace highwater {

/// For people, in three digits, rounded half up: "850 ns", "12.3 us", "1.72 ms", "-40.0 s".
std::string time_text(Duration time);

/// Of a whole, in percent: "83.1 %"; nothing if the whole is nothing.
std::string share_text(Duration part, Duration whole);

}  // namespace highwater
