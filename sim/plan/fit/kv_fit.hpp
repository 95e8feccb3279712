#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// The largest KV cache with which a scenario runs to its end.
struct KvFit {
    std::int64_t tokens = 0;
    std::int64_t block_tokens = 1;
    Bytes per_token;
    Bytes bytes;
    /// How many runs it took to find and to confirm.
    std::size_t runs = 0;
    /// The largest with which as much is left over as the driver's figures may be off.
    std::int64_t safe_tokens = 0;
    /// By how much they may be.
    Bytes held_back{};
    friend bool operator==(const KvFit&, const KvFit&) = default;
};

/// The same operations with a first KV cache of so many tokens, whole blocks of it.
Lowered with_kv_cache(Lowered lowered, std::int64_t tokens);

/// The tokens that the first KV cache was allocated for in a run: what the scenario asked for, or
/// what was left. None without a cache, and if the run did not come so far.
std::optional<std::int64_t> kv_tokens_in(const Lowered& lowered, const Ledger& ledger);

/// None if the scenario has no KV cache, or does not fit even with one block. Found by runs: one
/// more block fails.
std::optional<KvFit> largest_kv_cache(const Lowered& lowered, const CostProfile* costs);

}  // namespace highwater::plan
