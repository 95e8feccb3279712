#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace highwater {

/// What an expression gives. Integers are exact; a real that is a whole number counts as an integer
/// wherever one is asked for.
using Value = std::variant<std::int64_t, double, bool, std::string>;

/// "an integer", "a real", "a boolean", "a text".
std::string_view kind_of(const Value& value);

/// As a scenario would write it: `32`, `0.5`, `true`, `per-layer`.
std::string to_text(const Value& value);

bool is_number(const Value& value);

/// Of a number; integers above 2^53 are rounded.
double as_real(const Value& value);

}  // namespace highwater
