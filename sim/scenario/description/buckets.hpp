#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/expression/formula.hpp"

namespace highwater {

/// Batch sizes as a file describes them, still in expressions. Exactly one of `items`, `list`,
/// `range` and `powers_of_two` is there.
struct BucketSpec {
    SourcePlace place;
    std::vector<Formula> items;
    /// A serving engine's list, or a text of numbers with commas between.
    std::optional<PlacedText> list;
    /// First, last, step.
    std::vector<Formula> range;
    /// First, last.
    std::vector<Formula> powers_of_two;
    std::optional<Formula> min;
    std::optional<Formula> max;
    /// `asc`, `desc` or `given`.
    std::optional<PlacedText> order;
};

struct BucketSet {
    PlacedText name;
    BucketSpec spec;
};

/// What a phase runs over: a set of the scenario by name, or a list of its own.
struct BucketChoice {
    std::optional<PlacedText> set;
    BucketSpec own;
};

}  // namespace highwater
