#include "validate/compare/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

namespace highwater {
namespace {

using What = FigurePlace::What;

// A place and, of several of that name, which.
using PlaceKey = std::tuple<What, std::string, std::string, std::size_t>;

class PlaceCounter {
  public:
    PlaceKey key_of(const FigurePlace& place) {
        const std::size_t nth = seen_[{place.what, place.name, place.pool}]++;
        return {place.what, place.name, place.pool, nth};
    }

  private:
    std::map<std::tuple<What, std::string, std::string>, std::size_t> seen_;
};

std::map<PlaceKey, const PlaceFigures*> by_place(const RunFigures& run) {
    PlaceCounter counter;
    std::map<PlaceKey, const PlaceFigures*> places;
    for (const PlaceFigures& place : run.places) {
        places.emplace(counter.key_of(place.place), &place);
    }
    return places;
}

const RunFigure* find_figure(const PlaceFigures& place, const std::string& name) {
    const auto found = std::ranges::find(place.figures, name, &RunFigure::name);
    return found == place.figures.end() ? nullptr : &*found;
}

Verdict verdict_of(const ComparedFigure& figure, const Tolerances& tolerances = {}) {
    const std::int64_t off = std::abs(*figure.predicted - *figure.measured);
    if (off == 0) {
        return Verdict::kEqual;
    }
    if (figure.tolerance && off <= *figure.tolerance) {
        return Verdict::kWithin;
    }
    const bool is_promised =
        figure.tolerance && (figure.kind != FigureKind::kTime || tolerances.is_time_promised);
    return is_promised ? Verdict::kOut : Verdict::kNoted;
}

// No time is further off than this.
std::int64_t time_tolerance(double share, std::int64_t measured) {
    constexpr double kMost = 9e18;
    return std::llround(std::min(kMost, share * static_cast<double>(measured)));
}

std::optional<std::int64_t> tolerance_of(const RunFigure& predicted,
                                         std::int64_t measured,
                                         const Tolerances& tolerances) {
    switch (predicted.kind) {
        case FigureKind::kTime:
            return time_tolerance(tolerances.time, measured);
        case FigureKind::kDriver:
            return predicted.error && tolerances.driver ? tolerances.driver : predicted.error;
        default:
            return 0;
    }
}

ComparedFigure compared(const FigurePlace& place,
                        const RunFigure& predicted,
                        const RunFigure& measured,
                        const Tolerances& tolerances) {
    ComparedFigure figure{place,
                          predicted.name,
                          predicted.kind,
                          predicted.value,
                          measured.value,
                          tolerance_of(predicted, measured.value, tolerances),
                          Verdict::kEqual};
    figure.verdict = verdict_of(figure, tolerances);
    return figure;
}

bool is_empty(const PlaceFigures& place) {
    return std::ranges::all_of(place.figures,
                               [](const RunFigure& figure) { return figure.value == 0; });
}

bool is_of_pool(const PlaceFigures& place) {
    return place.place.what == What::kPool || place.place.what == What::kPoolStream;
}

// One that only one of the runs came by.
void add_lone(const PlaceFigures& place, bool is_predicted, std::vector<ComparedFigure>& figures) {
    if (is_of_pool(place) && is_empty(place)) {
        return;
    }
    for (const RunFigure& figure : place.figures) {
        if (figure.kind != FigureKind::kTime && figure.kind != FigureKind::kDriver) {
            ComparedFigure& row = figures.emplace_back(
                ComparedFigure{place.place, figure.name, figure.kind, {}, {}, 0, Verdict::kOut});
            (is_predicted ? row.predicted : row.measured) = figure.value;
        }
    }
}

class FigureComparer {
  public:
    FigureComparer(const Prediction& predicted,
                   const MeasuredRun& measured,
                   const Tolerances& tolerances)
        : predicted_(predicted), measured_(measured), tolerances_(tolerances) {}

    std::vector<ComparedFigure> compare() {
        if (has_predicted_allocator(measured_)) {
            add_outcome();
        }
        add_corruption();
        auto there = by_place(measured_.figures);
        PlaceCounter counter;
        for (const PlaceFigures& place : predicted_.figures.places) {
            const auto found = there.find(counter.key_of(place.place));
            if (found == there.end()) {
                add_lone(place, true, figures_);
            } else {
                add_both(place, *found->second);
                there.erase(found);
            }
        }
        for (const auto& [key, place] : there) {
            add_lone(*place, false, figures_);
        }
        if (!has_predicted_allocator(measured_)) {
            std::erase_if(figures_, [](const ComparedFigure& figure) {
                return figure.kind != FigureKind::kTime && figure.kind != FigureKind::kCorruption;
            });
        }
        return std::move(figures_);
    }

  private:
    void add_outcome() {
        ComparedFigure row{{What::kRun, "", ""}, "outcome", FigureKind::kOutcome, {}, {}, 0, {}};
        row.predicted = static_cast<std::int64_t>(predicted_.figures.outcome);
        row.measured = static_cast<std::int64_t>(measured_.figures.outcome);
        row.verdict = verdict_of(row);
        figures_.push_back(std::move(row));
    }

    // A hazard need not show. What shows needs a hazard.
    void add_corruption() {
        ComparedFigure row{
            {What::kRun, "", ""}, "hazards", FigureKind::kCorruption, {}, {}, {}, Verdict::kEqual};
        row.predicted = static_cast<std::int64_t>(predicted_.hazards);
        row.measured = static_cast<std::int64_t>(measured_.corrupt_words);
        const bool is_predicted = predicted_.hazards > 0;
        const bool is_seen = measured_.corrupt_words > 0;
        if (is_seen) {
            row.verdict = is_predicted ? Verdict::kWithin : Verdict::kOut;
        } else if (is_predicted) {
            row.verdict = Verdict::kNoted;
        }
        figures_.push_back(std::move(row));
    }

    void add_both(const PlaceFigures& predicted, const PlaceFigures& measured) {
        for (const RunFigure& figure : predicted.figures) {
            const RunFigure* const other = find_figure(measured, figure.name);
            const bool is_stated =
                figure.kind != FigureKind::kDriver || predicted_.figures.has_times;
            if (other != nullptr && is_stated) {
                figures_.push_back(compared(predicted.place, figure, *other, tolerances_));
            }
        }
    }

    const Prediction& predicted_;
    const MeasuredRun& measured_;
    const Tolerances& tolerances_;
    std::vector<ComparedFigure> figures_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 5> kNames{"equal", "within", "noted", "known", "OUT"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

bool has_predicted_allocator(const MeasuredRun& measured) {
    return measured.backend != "cuda";
}

std::vector<ComparedFigure> compare(const Prediction& predicted,
                                    const MeasuredRun& measured,
                                    const Tolerances& tolerances) {
    return FigureComparer(predicted, measured, tolerances).compare();
}

VerdictCounts counts_of(const std::vector<ComparedFigure>& figures) {
    VerdictCounts counts;
    const std::array<std::size_t*, 5> each{
        &counts.equal, &counts.within, &counts.noted, &counts.known, &counts.out};
    for (const ComparedFigure& figure : figures) {
        ++*each.at(static_cast<std::size_t>(figure.verdict));
    }
    return counts;
}

}  // namespace highwater
