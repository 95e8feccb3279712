#pragma once

#include <string>

#include "sim/core/error.hpp"

namespace highwater {

/// A value given to a parameter from outside of its definition: `--set name=value`, or one turn of
/// a sweep.
struct Override {
    std::string name;
    std::string value;
    /// Where it is given, for messages.
    SourcePlace place{"--set"};
};

}  // namespace highwater
