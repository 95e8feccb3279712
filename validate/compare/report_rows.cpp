#include "validate/compare/report_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

using What = FigurePlace::What;

// Figures that are shown as one.
struct Fold {
    ComparedFigure figure;
    std::size_t count = 0;
    std::size_t equal = 0;
};

bool is_folded(const FigurePlace& place) {
    return place.what == What::kGraph || place.what == What::kPoolStream;
}

bool belongs_to(const Fold& fold, const ComparedFigure& figure) {
    return is_folded(figure.place) && fold.figure.place.what == figure.place.what &&
           fold.figure.place.pool == figure.place.pool && fold.figure.name == figure.name;
}

std::optional<std::int64_t> sum_of(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    return a || b ? std::optional(a.value_or(0) + b.value_or(0)) : std::nullopt;
}

void add_to(Fold& fold, const ComparedFigure& figure) {
    fold.figure.predicted = sum_of(fold.figure.predicted, figure.predicted);
    fold.figure.measured = sum_of(fold.figure.measured, figure.measured);
    fold.figure.verdict = std::max(fold.figure.verdict, figure.verdict);
    ++fold.count;
    fold.equal += figure.verdict == Verdict::kEqual ? 1 : 0;
}

// In the order of the first of each.
std::vector<Fold> folds_of(const Comparison& comparison) {
    std::vector<Fold> folds;
    for (const ComparedFigure& figure : comparison.figures) {
        // The figures of a place follow each other: what it may belong to is not far back.
        const auto found = std::find_if(folds.rbegin(), folds.rend(), [&](const Fold& fold) {
            return belongs_to(fold, figure);
        });
        if (found != folds.rend()) {
            add_to(*found, figure);
        } else {
            folds.push_back({figure, 1, figure.verdict == Verdict::kEqual ? 1U : 0U});
        }
    }
    return folds;
}

std::string place_text(const Fold& fold) {
    const FigurePlace& place = fold.figure.place;
    const std::string count = fmt::format("{} ", fold.count);
    switch (place.what) {
        case What::kCheckpoint:
            return "checkpoint " + place.name;
        case What::kResult:
            return "result";
        case What::kMeasures:
            return "measure";
        case What::kPool:
            return "pool " + place.name;
        case What::kPoolStream:
            return fold.count == 1 ? fmt::format("pool {}, stream {}", place.pool, place.name)
                                   : fmt::format("pool {}, {} streams", place.pool, fold.count);
        case What::kGraph:
            return fold.count == 1 ? "graph " + place.name : count + "graphs";
        case What::kRest:
            return "rest of the card: " + place.name;
        case What::kRun:
            break;
    }
    return "run";
}

std::string outcome_text(std::int64_t outcome) {
    constexpr std::array<const char*, 3> kOutcomes{"done", "out of memory", "error"};
    return kOutcomes.at(static_cast<std::size_t>(outcome));
}

std::string value_text(const ComparedFigure& figure, std::optional<std::int64_t> value) {
    if (!value) {
        return "none";
    }
    if (figure.kind == FigureKind::kTime) {
        return time_text(Duration(*value));
    }
    return figure.kind == FigureKind::kOutcome ? outcome_text(*value) : grouped(*value);
}

std::string percent_text(std::int64_t predicted, std::int64_t measured) {
    constexpr double kPercent = 100;
    if (measured == 0) {
        return "-";
    }
    return fmt::format(
        "{:+.0f} %",
        kPercent * static_cast<double>(measured - predicted) / static_cast<double>(measured));
}

std::string signed_size(std::int64_t difference) {
    return (difference > 0 ? "+" : "") + size_text(difference);
}

// Measured less predicted; of times in percent of what was measured.
std::string difference_text(const ComparedFigure& figure) {
    if (!figure.predicted || !figure.measured || figure.kind == FigureKind::kOutcome) {
        return "";
    }
    const std::int64_t off = *figure.measured - *figure.predicted;
    if (figure.kind == FigureKind::kTime) {
        return percent_text(*figure.predicted, *figure.measured);
    }
    if (figure.kind == FigureKind::kDriver && off != 0) {
        return signed_size(off);
    }
    return (off > 0 ? "+" : "") + grouped(off);
}

std::string verdict_text(const Fold& fold) {
    std::string text(name_of(fold.figure.verdict));
    if (fold.count > 1 && fold.equal < fold.count && fold.figure.kind != FigureKind::kTime) {
        text += fmt::format(", {} of {} equal", fold.equal, fold.count);
    }
    if (fold.count == 1 && fold.figure.tolerance.value_or(0) > 0 &&
        fold.figure.kind == FigureKind::kDriver) {
        text += fmt::format(" (+/- {})", size_text(*fold.figure.tolerance));
    }
    return text;
}

ReportRow corruption_row(const ComparedFigure& figure) {
    const bool is_predicted = figure.predicted.value_or(0) > 0;
    const bool is_seen = figure.measured.value_or(0) > 0;
    return {"run",
            "corruption",
            is_predicted ? fmt::format("hazards: {}", *figure.predicted) : "none",
            is_seen ? fmt::format("words: {}", grouped(*figure.measured)) : "none",
            "",
            !is_predicted && !is_seen ? "equal"
            : !is_predicted           ? "OUT"
            : is_seen                 ? "seen"
                                      : "not seen",
            figure.verdict == Verdict::kOut};
}

ReportRow report_row(const Fold& fold) {
    const ComparedFigure& figure = fold.figure;
    if (figure.kind == FigureKind::kCorruption) {
        return corruption_row(figure);
    }
    return {place_text(fold),
            figure.name,
            value_text(figure, figure.predicted),
            value_text(figure, figure.measured),
            difference_text(figure),
            verdict_text(fold),
            figure.verdict == Verdict::kOut};
}

}  // namespace

std::vector<ReportRow> report_rows(const Comparison& comparison) {
    std::vector<ReportRow> rows;
    for (const Fold& fold : folds_of(comparison)) {
        rows.push_back(report_row(fold));
    }
    return rows;
}

std::string title_of(const Comparison& comparison) {
    std::string title = comparison.measured.figures.scenario;
    for (const Field& field : comparison.chosen) {
        title += fmt::format(", {} {}", field.name, field_text(field.value));
    }
    return title + ": " + comparison.measured.backend;
}

std::string counts_text(const VerdictCounts& counts) {
    return fmt::format(
        "{} figures: {} equal, {} within tolerance, {} noted, {} known, {} out of tolerance",
        counts.equal + counts.within + counts.noted + counts.known + counts.out,
        counts.equal,
        counts.within,
        counts.noted,
        counts.known,
        counts.out);
}

std::vector<std::string> reasons_in(const Comparison& comparison) {
    std::vector<std::string> reasons;
    for (const ComparedFigure& figure : comparison.figures) {
        const bool is_new = std::ranges::find(reasons, figure.reason) == reasons.end();
        if (!figure.reason.empty() && is_new) {
            reasons.push_back(figure.reason);
        }
    }
    return reasons;
}

std::string corruption_text(const Comparison& comparison) {
    const MeasuredRun& measured = comparison.measured;
    return fmt::format(
        "hazards predicted: {}; words corrupt: {}, in operations: {}; reads looked at: {}",
        comparison.hazards,
        grouped(measured.corrupt_words),
        grouped(measured.corrupt_operations),
        grouped(measured.verified_reads));
}

std::string equal_text(const Comparison& comparison, FigureKind kind) {
    std::size_t count = 0;
    std::size_t equal = 0;
    for (const ComparedFigure& figure : comparison.figures) {
        count += figure.kind == kind ? 1 : 0;
        equal += figure.kind == kind && figure.verdict == Verdict::kEqual ? 1 : 0;
    }
    return count == 0 ? "-" : fmt::format("{} of {}", equal, count);
}

std::string driver_text(const Comparison& comparison) {
    const ComparedFigure* worst = nullptr;
    const auto off = [](const ComparedFigure& figure) {
        return *figure.measured - *figure.predicted;
    };
    for (const ComparedFigure& figure : comparison.figures) {
        const bool is_total =
            figure.kind == FigureKind::kDriver && figure.place.what == What::kCheckpoint;
        if (is_total && (worst == nullptr || std::abs(off(figure)) > std::abs(off(*worst)))) {
            worst = &figure;
        }
    }
    return worst == nullptr
               ? "-"
               : fmt::format("{} of {}", signed_size(off(*worst)), size_text(*worst->measured));
}

std::string replay_text(const Comparison& comparison) {
    std::int64_t predicted = 0;
    std::int64_t measured = 0;
    for (const ComparedFigure& figure : comparison.figures) {
        if (figure.place.what == What::kGraph && figure.name == "replay_ns") {
            predicted += figure.predicted.value_or(0);
            measured += figure.measured.value_or(0);
        }
    }
    return measured == 0 ? "-" : percent_text(predicted, measured);
}

}  // namespace highwater
