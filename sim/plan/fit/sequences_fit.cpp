#include "sim/plan/fit/sequences_fit.hpp"

#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/fit/largest.hpp"

namespace highwater::plan {

std::optional<SequencesFit> most_sequences(const Lowered& lowered,
                                           std::int64_t length,
                                           const CostProfile* costs) {
    if (lowered.kv_caches.empty() || lowered.kv_caches.front().per_token == Bytes{}) {
        return std::nullopt;
    }
    const KvCacheOp cache = lowered.kv_caches.front();
    const std::int64_t block = cache.block_tokens;
    SequencesFit fit{length, 0, (length + block - 1) / block * block, {}, 0};
    const auto each = static_cast<std::uint64_t>(fit.tokens_each) * cache.per_token.count;
    const std::optional<KvFit> tokens = largest_kv_cache(lowered, costs);
    fit.runs = tokens ? tokens->runs : 0;
    const Fits fits = [&](std::int64_t sequences) {
        ++fit.runs;
        const Lowered with = with_kv_cache(lowered, sequences * fit.tokens_each);
        return has_room(run_phases(with, costs).ledger);
    };
    const std::int64_t guess = tokens ? tokens->tokens / fit.tokens_each : 0;
    const auto most = static_cast<std::int64_t>(lowered.program.machine.total_memory.count / each);
    fit.sequences = guess < 1 ? 0 : largest({1, most}, fits, guess).value_or(0);
    fit.bytes = Bytes{static_cast<std::uint64_t>(fit.sequences) * each};
    return fit;
}

}  // namespace highwater::plan
