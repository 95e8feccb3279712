#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// The word before the dot in `device.total_memory`.
inline constexpr std::string_view kDeviceObject = "device";

/// What an expression may ask the device for.
const std::vector<std::string>& device_figures();

/// Does the device's total memory follow from the parameters? Then they cannot follow from it.
bool has_computed_memory(const MachineForm& machine);

/// Adds what is known of the device: all but a computed total memory.
void add_device_figures(const MachineForm& machine, ParameterValues& values);
/// Adds that, once the parameters have their values.
void add_computed_memory(const MachineForm& machine, ParameterValues& values);

/// Throws `InputError` unless `use` is a figure that this device has. Without `memory_is_known` the
/// expression stands where a computed total memory is not known yet.
void require_device_figure(const Formula& formula,
                           const ExpressionNames::MemberUse& use,
                           const MachineForm& machine,
                           bool memory_is_known);

}  // namespace highwater
