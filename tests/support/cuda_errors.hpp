#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "sim/core/cuda_error.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

/// An error's number, 0 for none. Checks that it is a full one: CUDA's name and number in the
/// message, and what to do.
inline int full_error(const std::string& message,
                      std::optional<CudaError> error,
                      const std::string& remedy) {
    if (!error) {
        return 0;
    }
    const int number = static_cast<int>(*error);
    CHECK_THAT(
        message,
        Catch::Matchers::ContainsSubstring(fmt::format("({}, {})", name_of(*error), number)));
    CHECK_FALSE(remedy.empty());
    return number;
}

}  // namespace highwater
