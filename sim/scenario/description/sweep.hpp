#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

struct Parameter;
struct Scenario;

/// What changes in a sweep independently of the rest. It goes through its turns; in each it sets
/// some parameters.
struct SweepAxis {
    std::vector<PlacedText> parameters;
    std::vector<std::vector<Override>> turns;
    /// Written `all` instead of turns: the choices of its one parameter, once they are known.
    bool takes_all = false;
};

/// What one run of a sweep sets.
using SweepPoint = std::vector<Override>;

/// All reports are kept until the last point is done.
inline constexpr std::size_t kMaxPoints = 100'000;

/// A parameter's choices, as `--set` would write them; those of a boolean are false and true. None
/// if it may be anything.
std::optional<std::vector<std::string>> choices_of(const Scenario& scenario,
                                                   const Parameter& parameter);
bool takes_texts(const Scenario& scenario, const Parameter& parameter);

/// The axes without what is fixed: an axis of fixed parameters only is gone.
std::vector<SweepAxis> axes_without(std::span<const SweepAxis> axes,
                                    std::span<const Override> fixed);

/// All combinations of turns, the last axis changing fastest, each after the `fixed` overrides.
/// Throws `InputError` at `place` if there are too many.
std::vector<SweepPoint> sweep_points(std::span<const SweepAxis> axes,
                                     std::span<const Override> fixed,
                                     const SourcePlace& place);

/// The parameters that the axes set, each once.
std::vector<std::string> swept_parameters(std::span<const SweepAxis> axes);

}  // namespace highwater
