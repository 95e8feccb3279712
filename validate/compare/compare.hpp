#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validate/compare/figures.hpp"
#include "validate/compare/measured_run.hpp"

namespace highwater {

/// From good to bad.
enum class Verdict : std::uint8_t {
    kEqual,
    /// Not the same, and no further off than is allowed.
    kWithin,
    /// Further off, where nothing is promised: times, and what states no error.
    kNoted,
    /// Further off for a reason that is known, and no further than that allows.
    kKnown,
    kOut,
};

std::string_view name_of(Verdict verdict);

/// How far off what is not exact may be: of the driver's memory the prediction says it itself.
struct Tolerances {
    static constexpr double kTime = 0.25;
    /// Of what was measured.
    double time = kTime;
    /// Whether times beyond it are out of tolerance: else they are noted.
    bool is_time_promised = false;
    /// Of the driver's memory, in place of what the prediction states.
    std::optional<std::int64_t> driver{};
};

/// A figure of both runs, or of one of them where the other lacks its place.
struct ComparedFigure {
    FigurePlace place;
    std::string name;
    FigureKind kind{};
    std::optional<std::int64_t> predicted;
    std::optional<std::int64_t> measured;
    /// Either way; none if nothing is asked.
    std::optional<std::int64_t> tolerance;
    Verdict verdict{};
    /// Of a known difference.
    std::string reason{};
    friend bool operator==(const ComparedFigure&, const ComparedFigure&) = default;
};

/// What was predicted, beyond the figures.
struct Prediction {
    RunFigures figures;
    /// Kinds of hazards, each once for each pair of places.
    std::uint64_t hazards = 0;
};

/// A measured run beside its prediction.
struct Comparison {
    MeasuredRun measured;
    /// Parameters that are not at their defaults.
    std::vector<Field> chosen;
    std::uint64_t hazards = 0;
    std::vector<ComparedFigure> figures;
};

/// Whether the backend has the allocator that is predicted: `cuda` has another, and only times and
/// corruption are compared.
bool has_predicted_allocator(const MeasuredRun& measured);

/// Every figure that both have, in the order of the prediction. A place that only one has is out
/// of tolerance, but for a pool that is predicted empty. Allocator and graphs: to the last byte.
std::vector<ComparedFigure> compare(const Prediction& predicted,
                                    const MeasuredRun& measured,
                                    const Tolerances& tolerances = {});

/// How many figures have each verdict.
struct VerdictCounts {
    std::size_t equal = 0;
    std::size_t within = 0;
    std::size_t noted = 0;
    std::size_t known = 0;
    std::size_t out = 0;
    friend bool operator==(const VerdictCounts&, const VerdictCounts&) = default;
};
VerdictCounts counts_of(const std::vector<ComparedFigure>& figures);

}  // namespace highwater
