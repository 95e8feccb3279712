#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/expression/formula.hpp"

namespace highwater {

/// How a run ends.
enum class Outcome { kFinished, kOutOfMemory, kPyTorchError };

struct ExpectedMeasure {
    PlacedText measure;
    /// Over the parameters.
    Formula value;
};

/// One entry of `expect`: what a run with these parameters must give.
struct Expectation {
    SourcePlace place;
    std::vector<Override> with;
    std::vector<ExpectedMeasure> measures;
    /// Relative to the expected value; without, it must be met exactly.
    std::optional<Formula> within;
    Outcome outcome = Outcome::kFinished;
    /// The CUDA error that the run ends with, by its number.
    std::optional<std::int64_t> cuda_error;
    std::string note;
};

}  // namespace highwater
