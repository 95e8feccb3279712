#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// Calls min, max, ceil, floor, abs, log2 or align; nothing if `name` is none of them.
/// Throws `ExpressionError` at `offset`.
std::optional<Value> call_function(std::string_view name,
                                   const std::vector<Value>& arguments,
                                   std::size_t offset);

/// A function of measures, whose arguments are names.
struct MeasureFunction {
    enum class Name { kTensor, kCheckpoint, kStream, kGraph };
    std::string_view name;
    std::vector<Name> arguments;
    /// Of what it is a measure.
    std::string_view of;
    std::string_view usage;
};

/// Nothing if `name` is none of them.
const MeasureFunction* find_measure_function(std::string_view name);

/// Every function's name, `if` and those of measures too.
const std::vector<std::string>& function_names();

}  // namespace highwater
