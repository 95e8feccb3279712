#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validate/compare/compare.hpp"

namespace highwater {

/// Why figures of one kind are further off than they may be, and how far that excuses them.
struct KnownDifference {
    /// Empty for all.
    std::string scenario;
    std::string backend;
    FigureKind kind{};
    /// Either way: so much, and so much more for each node of the run's graphs.
    std::uint64_t at_most = 0;
    std::uint64_t at_most_per_node = 0;
    std::string reason;
};

/// A JSON array of objects with `kind`, `at_most`, `reason` and, where they narrow it down,
/// `scenario`, `backend` and `at_most_per_node`. Throws `InputError`.
std::vector<KnownDifference> read_known_differences(const std::string& path);

/// Gives figures that are out of tolerance the first known difference that excuses them. Says of
/// each known difference whether it was needed.
std::vector<bool> excuse(Comparison& comparison, const std::vector<KnownDifference>& known);

}  // namespace highwater
