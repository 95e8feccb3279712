#include "validate/compare/overview.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/size_text.hpp"
#include "validate/compare/report_rows.hpp"

namespace highwater {
namespace {

std::string counted(std::uint64_t count, const std::string& what) {
    return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string corruption_cell(const Comparison& comparison) {
    const std::uint64_t words = comparison.measured.corrupt_words;
    if (comparison.hazards == 0) {
        return words == 0 ? "none" : counted(words, "word") + ", not predicted";
    }
    return fmt::format("{}, {}",
                       counted(comparison.hazards, "hazard"),
                       words == 0 ? "not seen" : fmt::format("seen ({})", counted(words, "word")));
}

std::string verdict_cell(const Comparison& comparison) {
    const VerdictCounts counts = counts_of(comparison.figures);
    if (counts.out > 0) {
        return counted(counts.out, "figure") + " OUT of tolerance";
    }
    return counts.known > 0 ? counted(counts.known, "known difference") : "within";
}

template <class Key>
std::string distinct(const std::vector<Comparison>& all, const Key& key) {
    std::vector<std::string> each;
    for (const Comparison& comparison : all) {
        const std::string text = key(comparison.measured);
        if (!text.empty() && std::ranges::find(each, text) == each.end()) {
            each.push_back(text);
        }
    }
    return fmt::format("{}", fmt::join(each, "; "));
}

VerdictCounts counts_of_kind(const std::vector<Comparison>& all, FigureKind kind) {
    std::vector<ComparedFigure> figures;
    for (const Comparison& comparison : all) {
        std::ranges::copy_if(comparison.figures,
                             std::back_inserter(figures),
                             [&](const ComparedFigure& figure) { return figure.kind == kind; });
    }
    return counts_of(figures);
}

std::string counts_line(const std::vector<Comparison>& all, FigureKind kind, const char* what) {
    return fmt::format("{}: {}.", what, counts_text(counts_of_kind(all, kind)));
}

// "torch: in 27 of 29 runs every figure of the allocator and of graphs is equal."
std::string exact_runs(const std::vector<Comparison>& all, const std::string& backend) {
    std::size_t runs = 0;
    std::size_t exact = 0;
    for (const Comparison& comparison : all) {
        const bool is_exact =
            std::ranges::all_of(comparison.figures, [](const ComparedFigure& figure) {
                const bool is_asked =
                    figure.kind == FigureKind::kAllocator || figure.kind == FigureKind::kGraph;
                return !is_asked || figure.verdict == Verdict::kEqual;
            });
        const bool is_of_backend = comparison.measured.backend == backend;
        runs += is_of_backend ? 1 : 0;
        exact += is_of_backend && is_exact ? 1 : 0;
    }
    return fmt::format(
        "With the backend {} every figure of the allocator and of graphs is equal in "
        "{} of {} runs.",
        backend,
        exact,
        runs);
}

std::string corruption_summary(const std::vector<Comparison>& all) {
    std::size_t with_hazards = 0;
    std::size_t seen = 0;
    std::size_t unforeseen = 0;
    for (const Comparison& comparison : all) {
        const bool is_corrupt = comparison.measured.corrupt_words > 0;
        const bool has_hazards = comparison.hazards > 0;
        with_hazards += has_hazards ? 1 : 0;
        seen += has_hazards && is_corrupt ? 1 : 0;
        unforeseen += !has_hazards && is_corrupt ? 1 : 0;
    }
    return fmt::format(
        "Hazards are predicted in {} runs, and corruption was seen in {} of them; of the {} runs "
        "without a predicted hazard {} showed any.",
        with_hazards,
        seen,
        all.size() - with_hazards,
        unforeseen);
}

}  // namespace

std::vector<std::string> overview_titles() {
    return {"run", "allocator", "graphs", "driver", "replays", "corruption", "verdict"};
}

std::vector<std::string> cells_of(const OverviewRow& row) {
    return {
        row.run, row.allocator, row.graphs, row.driver, row.replays, row.corruption, row.verdict};
}

OverviewRow overview_row(const Comparison& comparison) {
    return {title_of(comparison),
            equal_text(comparison, FigureKind::kAllocator),
            equal_text(comparison, FigureKind::kGraph),
            driver_text(comparison),
            replay_text(comparison),
            corruption_cell(comparison),
            verdict_cell(comparison)};
}

std::vector<std::string> preface(const std::vector<Comparison>& all) {
    std::vector<std::string> text{
        fmt::format("{} runs on {}; {}.",
                    all.size(),
                    distinct(all, [](const MeasuredRun& run) { return run.card; }),
                    distinct(all, [](const MeasuredRun& run) { return run.framework; }))};
    for (const std::string& backend : backends_in(all)) {
        if (backend != "cuda") {
            text.push_back(exact_runs(all, backend));
        }
    }
    text.push_back(corruption_summary(all));
    text.push_back(counts_line(all, FigureKind::kAllocator, "Allocator, tolerance 0 bytes"));
    text.push_back(counts_line(all, FigureKind::kGraph, "Shapes of graphs, tolerance 0"));
    text.push_back(counts_line(
        all, FigureKind::kDriver, "Driver memory, tolerance as the prediction states it"));
    text.push_back(counts_line(all, FigureKind::kTime, "Times, never out of tolerance"));
    text.emplace_back(
        "The columns: figures that are equal, of how many; the largest difference of the driver's "
        "memory at a checkpoint, measured less predicted; by how much all graphs' replays took "
        "longer than predicted, in percent of what was measured; hazards that are predicted, and "
        "whether the card showed corruption. Corruption without a predicted hazard is out of "
        "tolerance; a hazard need not show.");
    text.emplace_back(
        "Of times: the harness launches from C++, without Python, so that what the host does takes "
        "less time than predicted for PyTorch, captures above all. Its kernels look at all that "
        "they read, twice, and mark what they write, so that they take longer, and replays of "
        "short kernels much longer.");
    text.emplace_back(
        "A tensor that takes the rest of the card is as large as the driver's memory leaves it. "
        "Its size is compared as a figure of the driver. Then the run is predicted once more on a "
        "card that leaves as much as was measured, and with a tensor of the size that was "
        "measured: everything else is held against that to the last byte.");
    return text;
}

std::vector<KnownReason> known_reasons(const std::vector<Comparison>& all) {
    std::vector<KnownReason> known;
    for (const Comparison& comparison : all) {
        for (const std::string& reason : reasons_in(comparison)) {
            auto found = std::ranges::find(known, reason, &KnownReason::reason);
            if (found == known.end()) {
                found = known.insert(known.end(), {reason, {}});
            }
            found->runs.push_back(title_of(comparison));
        }
    }
    return known;
}

}  // namespace highwater
