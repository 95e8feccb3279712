#pragma once

#include <string>

#include "sim/core/error.hpp"

namespace highwater {

/// A parameter's value in place of its default: `--set name=value`, or an entry of `with`.
struct Override {
    std::string name;
    std::string value;
    /// For messages.
    SourcePlace place{"--set"};
};

}  // namespace highwater
