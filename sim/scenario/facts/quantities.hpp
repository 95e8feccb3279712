#pragma once

#include <string>

#include "sim/core/bytes.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/cost_curve.hpp"
#include "sim/scenario/text/yaml_reader.hpp"

namespace highwater::quantity {

// Literals of files of facts. Unlike an expression they say what they measure: a time where a size
// should be is refused. All throw `InputError` at the value's place.

/// `0.37 us`, rounded to whole nanoseconds; `0`. Up to 1,000 s.
Duration time(const PlacedText& text);
/// `2 MiB`, a whole number of bytes; `0`. Up to `kMaxSize`.
Bytes size(const PlacedText& text);
/// `0.15`, `55e9`: not negative.
double number(const PlacedText& text);

/// Measured points by size or by count: `{2 MiB: 42 us, 1 GiB: 147 us}`, rising.
CostCurve curve(const YamlReader& map);

}  // namespace highwater::quantity
