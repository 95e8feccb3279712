#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "validate/compare/overview.hpp"

namespace highwater {
namespace {

constexpr double kPercentOfAll = 100;

// Of the times of one name.
struct TimeErrors {
    std::string name;
    std::size_t within = 0;
    std::vector<double> errors;
};

std::string time_name(const ComparedFigure& figure) {
    switch (figure.place.what) {
        case FigurePlace::What::kGraph:
            return "graph: " + figure.name;
        case FigurePlace::What::kCheckpoint:
            return "checkpoint: " + figure.name;
        case FigurePlace::What::kResult:
            return "run: " + figure.name;
        default:
            return "measure: " + figure.name;
    }
}

void add_error(const ComparedFigure& figure, std::vector<TimeErrors>& all) {
    const std::string name = time_name(figure);
    auto found = std::ranges::find(all, name, &TimeErrors::name);
    if (found == all.end()) {
        found = all.insert(all.end(), TimeErrors{name, 0, {}});
    }
    const auto measured = static_cast<double>(*figure.measured);
    found->errors.push_back(kPercentOfAll * (measured - static_cast<double>(*figure.predicted)) /
                            measured);
    found->within += figure.verdict == Verdict::kNoted ? 0 : 1;
}

// Of an even number the lower one.
double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

TimeRow time_row_of(const TimeErrors& errors) {
    std::vector<double> sizes;
    for (const double error : errors.errors) {
        sizes.push_back(std::abs(error));
    }
    return {errors.name,
            errors.errors.size(),
            errors.within,
            median_of(std::move(sizes)),
            median_of(errors.errors)};
}

}  // namespace

std::vector<std::string> backends_in(const std::vector<Comparison>& all) {
    std::vector<std::string> backends;
    for (const Comparison& comparison : all) {
        const std::string& backend = comparison.measured.backend;
        if (std::ranges::find(backends, backend) == backends.end()) {
            backends.push_back(backend);
        }
    }
    return backends;
}

std::vector<TimeRow> time_rows_of(const std::vector<Comparison>& all, const std::string& backend) {
    std::vector<TimeErrors> errors;
    for (const Comparison& comparison : all) {
        for (const ComparedFigure& figure : comparison.figures) {
            const bool is_time = figure.kind == FigureKind::kTime && figure.predicted &&
                                 figure.measured.value_or(0) > 0;
            if (is_time && comparison.measured.backend == backend) {
                add_error(figure, errors);
            }
        }
    }
    std::vector<TimeRow> rows;
    for (const TimeErrors& each : errors) {
        rows.push_back(time_row_of(each));
    }
    return rows;
}

std::vector<std::string> time_titles() {
    return {"time", "backend", "figures", "within tolerance", "median error", "median difference"};
}

std::vector<std::string> cells_of(const TimeRow& row, const std::string& backend) {
    return {row.name,
            backend,
            fmt::format("{}", row.count),
            fmt::format("{}", row.within),
            fmt::format("{:.0f} %", row.median_error),
            fmt::format("{:+.0f} %", row.median)};
}

}  // namespace highwater
