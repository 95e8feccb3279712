#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/hazards/hazard.hpp"

namespace highwater {

/// A Program of these operations, in the text form, with what they may name: the streams `default`,
/// `s`, `t` and `u`, tensors `a`, `b`, `c` and `x`, events `e` and `f`, graphs `g`, `h` and `k`,
/// pools `p` and `q`, threads `main` and `other`. In the `blocking` form `s` and `t` are blocking
/// streams. The first operation is line 1 of the file `p`.
enum class Streams { kOwn, kBlocking };
Program program_of(std::string_view operations, Streams streams = Streams::kOwn);

/// What the Program's run finds: `KIND FIRST SECOND` with the lines of both operations, captured
/// ones where a graph runs them.
std::vector<std::string> found(const Program& program);
std::vector<std::string> found(std::string_view operations);

}  // namespace highwater
