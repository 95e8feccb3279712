#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/report/run_report.hpp"
#include "sim/scenario/description/expectation.hpp"

namespace highwater {

/// What a figure is of: its tolerance follows from it.
enum class FigureKind : std::uint8_t { kAllocator, kGraph, kDriver, kTime, kOutcome, kCorruption };

/// In plain words: "driver".
std::string_view name_of(FigureKind kind);

/// Bytes, nanoseconds or a count, as its name says.
struct RunFigure {
    std::string name;
    FigureKind kind{};
    std::int64_t value = 0;
    /// Up or down, where the prediction states it.
    std::optional<std::int64_t> error{};
    friend bool operator==(const RunFigure&, const RunFigure&) = default;
};

/// Where figures belong. The same name can come again, as a graph's that is captured anew.
struct FigurePlace {
    enum class What : std::uint8_t {
        kCheckpoint,
        kResult,
        kMeasures,
        kPool,
        kPoolStream,
        kGraph,
        kRest,
        kRun
    };
    What what{};
    std::string name;
    /// The pool of a stream; else empty.
    std::string pool;
    friend bool operator==(const FigurePlace&, const FigurePlace&) = default;
};

struct PlaceFigures {
    FigurePlace place;
    std::vector<RunFigure> figures;
    friend bool operator==(const PlaceFigures&, const PlaceFigures&) = default;
};

/// A run in the form that predictions and measurements share: what is null is left out.
struct RunFigures {
    std::string scenario;
    std::vector<Field> parameters;
    std::vector<PlaceFigures> places;
    Outcome outcome{};
    /// Whether the driver's memory is that of a cost profile, and time passes.
    bool has_times = false;
};

/// A size, a time or a count; of a real the whole part. Throws `nlohmann::json::exception`, and
/// `std::out_of_range` from 10^15 on, so that figures can be summed.
std::int64_t whole_of(const nlohmann::ordered_json& value);

/// Of the JSON of `highwater run` or `highwater-gpu run`, one point. Throws like `whole_of` for
/// what is not of that form.
RunFigures figures_of(const nlohmann::ordered_json& run);

}  // namespace highwater
