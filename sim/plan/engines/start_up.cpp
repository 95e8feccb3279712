#include "sim/plan/engines/start_up.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/core/error.hpp"
#include "sim/plan/fit/kv_fit.hpp"

namespace highwater::plan {
namespace {

using Kind = PhaseSpan::Kind;

Bytes grown(Bytes from, Bytes to) {
    return to > from ? to - from : Bytes{};
}

Bytes positive(std::int64_t bytes) {
    return bytes > 0 ? Bytes{static_cast<std::uint64_t>(bytes)} : Bytes{};
}

// Enough for a segment of its own: nothing else is to live in what is left of one.
Lowered with_small_cache(const Lowered& lowered) {
    constexpr std::uint64_t kEnough = 32ULL << 20U;
    const Bytes per_token = lowered.kv_caches.front().per_token;
    return with_kv_cache(lowered, static_cast<std::int64_t>(kEnough / per_token.count) + 1);
}

// The first two passes of each mode, and none behind the last of them.
struct FirstTwo {
    Program program;
    std::vector<CapturedPass> passes;
};

FirstTwo first_two_of_each(const Program& program, const std::vector<CapturedPass>& all) {
    FirstTwo kept{program, {}};
    kept.program.ops.clear();
    kept.program.places = {};
    std::size_t at = 0;
    std::vector<std::size_t> counts;
    const auto take = [&](std::size_t end) {
        kept.program.ops.insert(kept.program.ops.end(),
                                program.ops.begin() + static_cast<std::ptrdiff_t>(at),
                                program.ops.begin() + static_cast<std::ptrdiff_t>(end));
        at = end;
    };
    for (const CapturedPass& pass : all) {
        counts.resize(std::max(counts.size(), pass.mode + 1));
        if (++counts[pass.mode] > 2) {
            // What stands before it is there for it.
            at = pass.end;
            continue;
        }
        take(pass.first);
        CapturedPass moved = pass;
        moved.first = kept.program.ops.size();
        take(pass.end);
        moved.end = kept.program.ops.size();
        kept.passes.push_back(std::move(moved));
    }
    std::size_t open = 0;
    for (const Op& op : kept.program.ops) {
        open += std::holds_alternative<op::Try>(op) ? 1U : 0U;
        open -= std::holds_alternative<op::EndTry>(op) ? 1U : 0U;
    }
    kept.program.ops.insert(kept.program.ops.end(), open, op::EndTry{});
    return kept;
}

class StartUpReader {
  public:
    StartUpReader(const Lowered& lowered, const CostProfile* costs)
        : lowered_(with_small_cache(lowered)),
          costs_(costs),
          passes_(captured_passes(lowered_)),
          run_(metered(lowered_.program)) {}

    StartUp read() {
        start_up_.total = lowered_.program.machine.total_memory;
        start_up_.failure = run_.ledger().failure;
        read_load();
        read_profile();
        read_serving();
        for (const CapturedPass& pass : passes_) {
            start_up_.captures.push_back(
                {pass.graph, pass.bucket, delta(run_.before(pass.first), run_.before(pass.end))});
        }
        estimate();
        return std::move(start_up_);
    }

  private:
    MeteredRun metered(const Program& program) const {
        MeteredRun run(program, costs_);
        run.leave_out(lowered_.kv_caches.front().op);
        return run;
    }

    std::size_t first_capture() const {
        return passes_.empty() ? lowered_.program.ops.size() : passes_.front().first;
    }

    void read_load() {
        const auto first = std::ranges::find(lowered_.phases, Kind::kLoadWeights, &PhaseSpan::kind);
        for (const PhaseSpan& span : lowered_.phases) {
            if (span.kind == Kind::kLoadWeights && span.first < first_capture()) {
                load_end_ = span.end;
            }
        }
        start_up_.before_load = run_.before(first->first);
        start_up_.loaded = run_.before(load_end_);
    }

    void read_profile() {
        std::size_t end = load_end_;
        for (const PhaseSpan& span : lowered_.phases) {
            if (span.kind == Kind::kForward && load_end_ <= span.first &&
                span.end <= first_capture()) {
                end = span.end;
            }
        }
        start_up_.peak_allocated = run_.peak_allocated(load_end_, end);
        start_up_.peak_in_use = run_.peak_in_use(load_end_, end);
        if (end > load_end_) {
            start_up_.profiled = run_.before(end);
        }
    }

    void read_serving() {
        for (const PhaseSpan& span : lowered_.phases) {
            const bool passes = span.kind == Kind::kServe || span.kind == Kind::kForward;
            if (passes && !passes_.empty() && span.first >= passes_.back().end) {
                const Bytes peak = run_.peak_allocated(span.first, span.end);
                start_up_.served_peak =
                    std::max(start_up_.served_peak, peak - run_.before(span.first).allocated);
            }
        }
    }

    void estimate() {
        if (passes_.empty()) {
            return;
        }
        const FirstTwo two = first_two_of_each(lowered_.program, passes_);
        const MeteredRun run = metered(two.program);
        for (std::size_t mode = 0; mode <= modes(); ++mode) {
            std::vector<std::int64_t> took;
            for (const CapturedPass& pass : two.passes) {
                if (pass.mode == mode) {
                    took.push_back(delta(run.before(pass.first), run.before(pass.end)).device);
                }
            }
            took.resize(2);
            const auto count = std::ranges::count(passes_, mode, &CapturedPass::mode);
            start_up_.estimates.push_back(
                graph_estimate(static_cast<std::size_t>(count), took[0], took[1]));
        }
    }

    std::size_t modes() const { return std::ranges::max(passes_, {}, &CapturedPass::mode).mode; }

    Lowered lowered_;
    const CostProfile* costs_;
    std::vector<CapturedPass> passes_;
    MeteredRun run_;
    std::size_t load_end_ = 0;
    StartUp start_up_;
};

}  // namespace

GraphEstimate graph_estimate(std::size_t graphs, std::int64_t first, std::int64_t second) {
    constexpr Bytes kLeast{1ULL << 20U};
    GraphEstimate estimate{graphs, positive(first), positive(second), {}};
    if (graphs > 0) {
        estimate.total = estimate.first + std::max(estimate.second, kLeast) * (graphs - 1);
    }
    return estimate;
}

Bytes StartUp::weights() const {
    return grown(before_load.reserved, loaded.reserved);
}

Bytes StartUp::activations() const {
    return grown(loaded.allocated, peak_allocated);
}

Bytes StartUp::outside() const {
    return grown(before_load.driver, profiled.value_or(loaded).driver);
}

Bytes StartUp::estimate() const {
    Bytes sum;
    for (const GraphEstimate& each : estimates) {
        sum += each.total;
    }
    return sum;
}

MeterDelta StartUp::graphs() const {
    MeterDelta sum;
    for (const CaptureCost& capture : captures) {
        sum.allocated += capture.took.allocated;
        sum.reserved += capture.took.reserved;
        sum.device += capture.took.device;
    }
    return sum;
}

StartUp start_up_of(const Lowered& lowered, const CostProfile* costs) {
    const bool loads = std::ranges::any_of(
        lowered.phases, [](const PhaseSpan& span) { return span.kind == Kind::kLoadWeights; });
    if (!loads) {
        throw InputError(
            {"--engine"},
            "the scenario has no phase `load_weights`, where an engine's budget begins",
            "describe the model and load its weights in a phase");
    }
    if (lowered.kv_caches.empty() || lowered.kv_caches.front().per_token == Bytes{}) {
        throw InputError({"--engine"},
                         "the scenario has no phase `kv_cache`, which an engine would size",
                         "add one, with its bytes_per_token and `tokens: rest`");
    }
    return StartUpReader(lowered, costs).read();
}

}  // namespace highwater::plan
