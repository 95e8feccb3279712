#pragma once

// Catch2 in either of its shapes: Debian 12 ships version 2, Ubuntu 24.04 version 3. Tests include
// this header and keep to what both have. What they named differently goes by its newer name.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

using Catch::Approx;

#else
#include <string>

#include <catch2/catch.hpp>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& text) {
    return Contains(text);
}

}  // namespace Catch::Matchers
#endif
