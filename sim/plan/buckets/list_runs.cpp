#include "sim/plan/buckets/list_runs.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/engine/run.hpp"
#include "sim/plan/buckets/capture_meter.hpp"
#include "sim/plan/fit/largest.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

// More than any list of graphs takes.
constexpr Bytes kLargeCard{std::uint64_t{1} << 44};

std::vector<BucketSpan> spans_of(const Lowered& lowered, const std::string& set) {
    std::vector<BucketSpan> spans;
    std::ranges::copy_if(lowered.bucket_spans, std::back_inserter(spans), [&](const auto& span) {
        return span.set == set;
    });
    return spans;
}

BucketSpec spec_of(const BucketList& list, const SourcePlace& place) {
    BucketSpec spec;
    spec.place = place;
    for (const std::int64_t bucket : list) {
        spec.items.push_back(parse_formula({std::to_string(bucket), place, false}));
    }
    return spec;
}

// Any cache that takes the rest of the card takes one block of it.
void enlarge_card(Program& program) {
    program.machine.total_memory = kLargeCard;
    for (Op& op : program.ops) {
        if (const auto* rest = std::get_if<op::AllocRest>(&op)) {
            op = op::Alloc{rest->tensor, rest->unit, rest->stream};
        }
    }
}

std::vector<op::BeginCapture> captures_in(const Program& program, const BucketSpan& span) {
    std::vector<op::BeginCapture> found;
    for (std::size_t op = span.first; op < span.end; ++op) {
        if (const auto* capture = std::get_if<op::BeginCapture>(&program.ops[op])) {
            found.push_back(*capture);
        }
    }
    return found;
}

void append_replays(Program& program, const std::vector<BucketSpan>& spans) {
    for (const BucketSpan& span : spans) {
        for (const op::BeginCapture& capture : captures_in(program, span)) {
            program.ops.emplace_back(op::Replay{capture.graph, capture.stream});
            program.ops.emplace_back(op::Synchronize{});
        }
    }
}

// How many of the spans capture into each pool; graphs without a name for theirs have it alone.
std::map<PoolName, std::size_t> sharers_of(const Program& program,
                                           const std::vector<BucketSpan>& spans) {
    std::map<PoolName, std::size_t> sharers;
    for (const BucketSpan& span : spans) {
        std::set<PoolName> pools;
        for (const op::BeginCapture& capture : captures_in(program, span)) {
            if (capture.pool) {
                pools.insert(*capture.pool);
            }
        }
        for (const PoolName pool : pools) {
            ++sharers[pool];
        }
    }
    return sharers;
}

struct GraphSums {
    std::size_t nodes = 0;
    Duration replay{};
};

GraphSums sums_of(const Ledger& ledger, const std::vector<op::BeginCapture>& captures) {
    GraphSums sums;
    for (const op::BeginCapture& capture : captures) {
        const auto row = std::ranges::find(ledger.graphs, capture.graph, &GraphRow::graph);
        if (row != ledger.graphs.end()) {
            sums.nodes += row->nodes;
            sums.replay += row->replay_time;
        }
    }
    return sums;
}

// Sets of what one run of many buckets tells of each.
class FiguresReader {
  public:
    FiguresReader(const Program& program,
                  const std::vector<BucketSpan>& spans,
                  const CaptureMeter& meter)
        : program_(program), spans_(spans), meter_(meter), sharers_(sharers_of(program, spans)) {}

    std::map<std::int64_t, BucketFigures> read(const Ledger& ledger) {
        std::map<std::int64_t, std::size_t> nodes;
        std::map<std::int64_t, BucketFigures> figures;
        std::size_t all_nodes = 0;
        Bytes driver;
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            const auto captures = captures_in(program_, spans_[i]);
            const GraphSums sums = sums_of(ledger, captures);
            const CaptureMeter::Growth& growth = meter_.growths()[i];
            BucketFigures& bucket = figures[spans_[i].bucket];
            bucket.pool += has_own_pools(captures) ? growth.use.reserved : growth.allocated;
            bucket.replay += sums.replay;
            nodes[spans_[i].bucket] += sums.nodes;
            all_nodes += sums.nodes;
            driver += growth.use.driver;
        }
        for (auto& [bucket, figure] : figures) {
            const std::uint64_t each = all_nodes == 0 ? 0 : driver.count / all_nodes;
            figure.driver = Bytes{each * nodes[bucket]};
        }
        return figures;
    }

  private:
    bool has_own_pools(const std::vector<op::BeginCapture>& captures) const {
        return std::ranges::all_of(captures, [&](const op::BeginCapture& capture) {
            return !capture.pool || sharers_.at(*capture.pool) == 1;
        });
    }

    const Program& program_;
    const std::vector<BucketSpan>& spans_;
    const CaptureMeter& meter_;
    std::map<PoolName, std::size_t> sharers_;
};

std::vector<std::string> captured_sets(const Lowered& lowered) {
    std::set<std::string> names;
    for (const BucketSpan& span : lowered.bucket_spans) {
        if (!span.set.empty()) {
            names.insert(span.set);
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace

ListRuns::ListRuns(const Scenario& scenario,
                   std::span<const Override> overrides,
                   const std::optional<std::string>& set)
    : scenario_(scenario), values_(resolve_parameters(scenario, overrides)) {
    find_set(set);
    own_ = bucket_sets_of(scenario_, values_).at({set_, {scenario.file}, false});
    is_ascending_ = own_.size() > 1 && std::ranges::is_sorted(own_);
    std::ranges::sort(own_);
    own_.erase(std::unique(own_.begin(), own_.end()), own_.end());
    leave_out_what_follows();
}

const CostProfile* ListRuns::costs() const {
    return costs_of(scenario_);
}

void ListRuns::find_set(const std::optional<std::string>& set) {
    const std::vector<std::string> known = captured_sets(lower(scenario_, values_));
    if (known.empty()) {
        throw InputError({scenario_.file},
                         "no list of `buckets` is captured",
                         "name the list under `buckets`, and capture it in a phase: `capture: "
                         "{buckets: decode}`");
    }
    if (!set && known.size() > 1) {
        throw InputError({"--bucket-set"},
                         fmt::format("the scenario captures {}", fmt::join(known, ", ")),
                         fmt::format("choose one, as `--bucket-set {}`", known.front()));
    }
    set_ = set.value_or(known.front());
    if (std::ranges::find(known, set_) == known.end()) {
        throw InputError({"--bucket-set"},
                         fmt::format("no phase captures `{}`", quoted(set_)),
                         suggestion(set_, known, "name a list that is captured"));
    }
}

// Later steps may ask for buckets that another list lacks.
void ListRuns::leave_out_what_follows() {
    const StepList steps = scenario_.steps;
    const std::size_t all = spans_of(lower(scenario_, values_), set_).size();
    const auto count = static_cast<std::int64_t>(steps.size());
    const auto needed = smallest({1, count}, [&](std::int64_t first) {
        scenario_.steps.assign(steps.begin(), steps.begin() + first);
        return spans_of(lower(scenario_, values_), set_).size() == all;
    });
    scenario_.steps.assign(steps.begin(), steps.begin() + needed.value_or(count));
}

Lowered ListRuns::lowered_with(const BucketList& list) {
    BucketList ordered = list;
    if (is_ascending_) {
        std::ranges::sort(ordered);
    } else {
        std::ranges::sort(ordered, std::greater<>());
    }
    for (BucketSet& each : scenario_.buckets) {
        if (each.name.text == set_) {
            each.spec = spec_of(ordered, each.name.place);
        }
    }
    return lower(scenario_, values_);
}

const ListRun& ListRuns::run(BucketList list) {
    std::ranges::sort(list);
    const auto [at, is_new] = done_.try_emplace(std::move(list));
    if (!is_new) {
        return at->second;
    }
    ++runs_;
    const Lowered lowered = lowered_with(at->first);
    const std::vector<BucketSpan> spans = spans_of(lowered, set_);
    CaptureMeter meter(lowered.program, spans);
    RunOptions options;
    options.costs = costs();
    options.observer = &meter;
    const Ledger ledger = highwater::run(lowered.program, options);
    for (const CaptureMeter::Growth& growth : meter.growths()) {
        at->second.growth.reserved += growth.use.reserved;
        at->second.growth.driver += growth.use.driver;
    }
    if (const Failure* lack = lack_of_memory(ledger); lack != nullptr) {
        at->second.failure = lack->message;
    } else {
        at->second.failure = ledger.failure ? ledger.failure->message : "";
    }
    return at->second;
}

std::vector<BucketFigures> ListRuns::measure(const BucketList& list) {
    ++runs_;
    Lowered lowered = lowered_with(list);
    const std::vector<BucketSpan> spans = spans_of(lowered, set_);
    enlarge_card(lowered.program);
    if (has_times()) {
        append_replays(lowered.program, spans);
    }
    CaptureMeter meter(lowered.program, spans);
    RunOptions options;
    options.costs = costs();
    options.observer = &meter;
    const Ledger ledger = highwater::run(lowered.program, options);
    if (ledger.failure) {
        throw InputError(
            {scenario_.file},
            fmt::format(
                "with all candidates the captures of `{}` fail: {}", set_, ledger.failure->message),
            "name fewer candidates: `--bucket-candidates`");
    }
    const auto figures = FiguresReader(lowered.program, spans, meter).read(ledger);
    std::vector<BucketFigures> made;
    for (const std::int64_t bucket : list) {
        made.push_back(figures.at(bucket));
    }
    return made;
}

}  // namespace highwater::plan
