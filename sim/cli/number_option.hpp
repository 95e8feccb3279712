#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/plan/fit/setting.hpp"

namespace highwater {

/// All of the text as a whole number; none if it is no such.
std::optional<std::int64_t> whole_number(std::string_view text);

/// NAME=LEAST..MOST. Throws `InputError` with `option` as its place and `remedy` as what to do.
plan::ParameterRange parse_range(const std::string& text,
                                 const std::string& option,
                                 const std::string& remedy);

}  // namespace highwater
