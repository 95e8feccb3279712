#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/plan/engines/meters.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// What the capture of one bucket took, by each of the meters.
struct CaptureCost {
    std::string graph;
    std::optional<std::int64_t> bucket;
    MeterDelta took;
    friend bool operator==(const CaptureCost&, const CaptureCost&) = default;
};

/// What a mode's graphs would take, told from the first two.
struct GraphEstimate {
    std::size_t graphs = 0;
    /// Of the device, by the first capture and by the second; 0 where there is none, or memory went
    /// back.
    Bytes first;
    Bytes second;
    /// first + (graphs - 1) x second, with at least 1 MiB for the second. Source: vLLM, issues
    /// 45178 and 45197.
    Bytes total;
    friend bool operator==(const GraphEstimate&, const GraphEstimate&) = default;
};

GraphEstimate graph_estimate(std::size_t graphs, std::int64_t first, std::int64_t second);

/// What an engine reads off a card as it starts up, without its KV cache: from runs of the
/// scenario with a small one, which is left out of all figures.
struct StartUp {
    Bytes total;
    /// As the weights are loaded, and behind them.
    Meters before_load;
    Meters loaded;
    /// Behind the passes that precede the captures, and the most in them. None without such passes.
    std::optional<Meters> profiled;
    Bytes peak_allocated;
    Bytes peak_in_use;
    /// The most that a pass behind the captures had allocated beyond what was there.
    Bytes served_peak;
    /// Each captured bucket, in order, as the scenario captures them.
    std::vector<CaptureCost> captures;
    /// A mode each: told from a run with the first two captures of each alone.
    std::vector<GraphEstimate> estimates;
    /// Where it fails even with the small cache.
    std::optional<Failure> failure;

    Bytes weights() const;
    /// What passes had allocated beyond the weights.
    Bytes activations() const;
    /// What came beside PyTorch while weights were loaded and passes run.
    Bytes outside() const;
    Bytes estimate() const;
    /// All captures together.
    MeterDelta graphs() const;
};

/// Throws `InputError` if the scenario loads no weights or has no KV cache.
StartUp start_up_of(const Lowered& lowered, const CostProfile* costs);

}  // namespace highwater::plan
