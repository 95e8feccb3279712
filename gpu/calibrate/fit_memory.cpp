#include "gpu/calibrate/fit_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "gpu/calibrate/fit.hpp"
#include "sim/core/check.hpp"
#include "sim/driver/graph_exec_memory.hpp"

namespace highwater::gpu {
namespace {

constexpr std::uint64_t kKibibyte = 1024;

double difference(Bytes a, Bytes b) {
    return static_cast<double>(a.count) - static_cast<double>(b.count);
}

double squares(const std::vector<Bytes>& predicted, const std::vector<Bytes>& measured) {
    double sum = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double off = difference(predicted[i], measured[i]);
        sum += off * off;
    }
    return sum;
}

// The value that so large a share of them do not exceed; 0 for none.
double quantile(std::vector<double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    std::ranges::sort(values);
    const double place = std::ceil(share * static_cast<double>(values.size())) - 1;
    return values[static_cast<std::size_t>(std::max(0.0, place))];
}

// Small readings are off by steps, large ones by a share.
ErrorBar error_bar(const std::vector<Bytes>& predicted,
                   const std::vector<Bytes>& measured,
                   Bytes granularity) {
    constexpr double kMost = 0.95;
    constexpr std::uint64_t kLarge = 10;
    constexpr double kPercent = 100;
    std::vector<double> steps;
    std::vector<double> shares;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double off = std::abs(difference(predicted[i], measured[i]));
        if (measured[i] > granularity * kLarge) {
            shares.push_back(off / static_cast<double>(measured[i].count));
        } else {
            steps.push_back(off);
        }
    }
    const Bytes absolute{static_cast<std::uint64_t>(quantile(steps, kMost))};
    return {std::max(granularity, in_steps(absolute, granularity)),
            std::ceil(quantile(shares, kMost) * kPercent) / kPercent};
}

// --- streams

struct StreamFigures {
    double each = 0;
    double in_context = 0;
};

std::vector<Bytes> bytes_of_streams(const StreamMemory& costs, Bytes granularity, std::size_t n) {
    std::vector<Bytes> all;
    for (std::size_t i = 1; i <= n; ++i) {
        all.push_back(in_steps(beyond(costs.each * i, costs.in_context), granularity));
    }
    return all;
}

// Those that are equally near to the readings as the best.
std::vector<StreamMemory> nearest_streams(const std::vector<Bytes>& grown, Bytes granularity) {
    constexpr std::uint64_t kEachStep = 4 * kKibibyte;
    constexpr std::uint64_t kContextStep = 64 * kKibibyte;
    const auto count = static_cast<double>(grown.size());
    const auto most_each =
        static_cast<std::uint64_t>(2 * static_cast<double>(grown.back().count) / count);
    double best = std::numeric_limits<double>::infinity();
    std::vector<StreamMemory> found;
    for (std::uint64_t each = kEachStep; each <= most_each; each += kEachStep) {
        for (Bytes free; free <= granularity * 4; free += Bytes{kContextStep}) {
            StreamMemory costs;
            costs.each = Bytes{each};
            costs.in_context = free;
            const double off = squares(bytes_of_streams(costs, granularity, grown.size()), grown);
            if (off < best) {
                found.clear();
            }
            if (off <= best) {
                best = off;
                found.push_back(costs);
            }
        }
    }
    return found;
}

StreamMemory middle_of(const std::vector<StreamMemory>& all) {
    StreamFigures mean;
    for (const StreamMemory& costs : all) {
        mean.each += static_cast<double>(costs.each.count) / static_cast<double>(all.size());
        mean.in_context +=
            static_cast<double>(costs.in_context.count) / static_cast<double>(all.size());
    }
    const auto distance = [&](const StreamMemory& costs) {
        const double each = static_cast<double>(costs.each.count) / mean.each - 1;
        const double in_context =
            (static_cast<double>(costs.in_context.count) + 1) / (mean.in_context + 1) - 1;
        return each * each + in_context * in_context;
    };
    return *std::ranges::min_element(all, {}, distance);
}

// --- graphs

constexpr std::size_t kFigures = 5;
using Figures = std::array<std::int64_t, kFigures>;

GraphExecCosts costs_of(const Figures& figures) {
    const auto bytes = [&](std::size_t i) {
        return Bytes{static_cast<std::uint64_t>(figures.at(i))};
    };
    GraphExecCosts costs;
    costs.kernel_node = bytes(0);
    costs.kernel_launch = bytes(1);
    costs.graph = bytes(2);
    costs.join = bytes(3);
    costs.in_context = bytes(4);
    return costs;
}

/// A place of the search, and how far off it is.
struct Candidate {
    Figures figures{};
    double off = std::numeric_limits<double>::infinity();
};

class GraphSearch {
  public:
    GraphSearch(const std::vector<GraphSequence>& sequences, Bytes granularity)
        : sequences_(sequences), granularity_(granularity) {}

    // A coarse grid, then from the best places of it downhill in steps that become smaller.
    Figures best() const {
        constexpr std::size_t kStarts = 4;
        std::vector<Candidate> starts = grid();
        std::ranges::stable_sort(starts, {}, &Candidate::off);
        starts.resize(std::min(starts.size(), kStarts));
        Candidate best;
        for (const Candidate& start : starts) {
            const Candidate found = downhill(start);
            best = found.off < best.off ? found : best;
        }
        return best.figures;
    }

  private:
    // A code stands for one of three ways for each figure.
    static constexpr int kWays = 3;
    static constexpr int kCodes = kWays * kWays * kWays * kWays * kWays;
    static int way_of(int code, std::size_t figure) {
        for (; figure > 0; --figure) {
            code /= kWays;
        }
        return code % kWays;
    }

    static constexpr Figures kFinest{64, 16, 2 * kKibibyte, 2 * kKibibyte, 32 * kKibibyte};

    Candidate candidate(const Figures& figures) const {
        double off = 0;
        for (const GraphSequence& sequence : sequences_) {
            off +=
                squares(predicted(costs_of(figures), granularity_, sequence.forms), sequence.grown);
        }
        return {figures, off};
    }

    // Each figure at three places, a factor of four apart; what is free in steps of 2 MiB.
    std::vector<Candidate> grid() const {
        constexpr Figures kLeast{512, 64, 8 * kKibibyte, 8 * kKibibyte, 0};
        constexpr std::int64_t kFactor = 4;
        constexpr std::int64_t kFreeStep = 2 * kKibibyte * kKibibyte;
        std::vector<Candidate> all;
        for (int code = 0; code < kCodes; ++code) {
            Figures figures = kLeast;
            for (std::size_t i = 0; i + 1 < kFigures; ++i) {
                for (int times = way_of(code, i); times > 0; --times) {
                    figures[i] *= kFactor;
                }
            }
            figures[kFigures - 1] = way_of(code, kFigures - 1) * kFreeStep;
            all.push_back(candidate(figures));
        }
        return all;
    }

    Candidate downhill(Candidate at) const {
        constexpr std::int64_t kFirst = 16;
        for (std::int64_t scale = kFirst; scale > 0; scale /= 2) {
            while (true) {
                const Candidate next = best_neighbour(at, scale);
                if (next.off >= at.off) {
                    break;
                }
                at = next;
            }
        }
        return at;
    }

    // Figures make up for each other, so that all may have to change at once.
    Candidate best_neighbour(const Candidate& at, std::int64_t scale) const {
        Candidate best = at;
        for (int code = 0; code < kCodes; ++code) {
            Figures figures = at.figures;
            for (std::size_t i = 0; i < kFigures; ++i) {
                figures[i] += (way_of(code, i) - 1) * scale * kFinest[i];
                figures[i] = std::max<std::int64_t>(0, figures[i]);
            }
            const Candidate next = candidate(figures);
            best = next.off < best.off ? next : best;
        }
        return best;
    }

    const std::vector<GraphSequence>& sequences_;
    Bytes granularity_;
};

}  // namespace

std::optional<StreamMemory> fit_streams(const std::vector<Bytes>& grown, Bytes granularity) {
    if (grown.empty() || grown.back() == Bytes{} || granularity == Bytes{}) {
        return std::nullopt;
    }
    const std::vector<StreamMemory> nearest = nearest_streams(grown, granularity);
    if (nearest.empty()) {
        return std::nullopt;
    }
    StreamMemory costs = middle_of(nearest);
    costs.error = error_bar(bytes_of_streams(costs, granularity, grown.size()), grown, granularity);
    return costs;
}

std::vector<Bytes> predicted(const GraphExecCosts& costs,
                             Bytes granularity,
                             const std::vector<GraphForm>& forms) {
    GraphExecMemory memory(costs, granularity);
    std::vector<Bytes> grown;
    for (const GraphForm& form : forms) {
        memory.instantiate(GraphExecId{grown.size()}, {form.nodes(), form.joins()});
        grown.push_back(memory.taken());
    }
    return grown;
}

std::optional<GraphExecCosts> fit_graphs(const std::vector<GraphSequence>& sequences,
                                         Bytes granularity) {
    std::vector<Bytes> measured;
    for (const GraphSequence& sequence : sequences) {
        check(sequence.forms.size() == sequence.grown.size(), "a reading after each graph");
        measured.insert(measured.end(), sequence.grown.begin(), sequence.grown.end());
    }
    if (granularity == Bytes{} ||
        std::ranges::count(measured, Bytes{}) == static_cast<std::ptrdiff_t>(measured.size())) {
        return std::nullopt;
    }
    GraphExecCosts costs = costs_of(GraphSearch(sequences, granularity).best());
    std::vector<Bytes> said;
    for (const GraphSequence& sequence : sequences) {
        const std::vector<Bytes> part = predicted(costs, granularity, sequence.forms);
        said.insert(said.end(), part.begin(), part.end());
    }
    costs.error = error_bar(said, measured, granularity);
    return costs;
}

}  // namespace highwater::gpu
