#pragma once

#include <string_view>

#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

/// A parameter with a unit is a plain number of that unit: `8` in MiB, not `8 MiB`, which is
/// 8388608. Throws `InputError` if the value multiplies by a unit; in bytes it may.
void require_unit(const PlacedText& value, std::string_view parameter, std::string_view unit);

/// Whether the text is made of plain numbers alone: no names, no units.
bool is_plain_number(const PlacedText& value);

/// A parameter whose default is a plain number counts something, unless its name says that it is of
/// bytes: it takes no sizes and times. Throws `InputError`.
void require_no_unit(const PlacedText& value, std::string_view parameter);

}  // namespace highwater
