#include "sim/plan/fit/kv_fit.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "sim/plan/fit/largest.hpp"

namespace highwater::plan {
namespace {

Bytes block_bytes(const KvCacheOp& cache) {
    return Bytes{cache.per_token.count * static_cast<std::uint64_t>(cache.block_tokens)};
}

// What was left over at the worst moment, with a cache of one block.
std::int64_t guess_of(const Lowered& smallest, const PlannedRun& run, Bytes block) {
    const Bytes left = left_on(smallest.program.machine, run);
    return static_cast<std::int64_t>(left.count / block.count) + 1;
}

}  // namespace

Lowered with_kv_cache(Lowered lowered, std::int64_t tokens) {
    const KvCacheOp& cache = lowered.kv_caches.at(0);
    const auto blocks =
        static_cast<std::uint64_t>((tokens + cache.block_tokens - 1) / cache.block_tokens);
    Op& op = lowered.program.ops.at(cache.op);
    const Bytes size{blocks * block_bytes(cache).count};
    if (const auto* rest = std::get_if<op::AllocRest>(&op)) {
        op = op::Alloc{rest->tensor, size, rest->stream};
    } else {
        std::get<op::Alloc>(op).size = size;
    }
    return lowered;
}

// Of the cache's last placement.
std::optional<std::int64_t> kv_tokens_in(const Lowered& lowered, const Ledger& ledger) {
    if (lowered.kv_caches.empty() || lowered.kv_caches.front().per_token == Bytes{}) {
        return std::nullopt;
    }
    const KvCacheOp& cache = lowered.kv_caches.front();
    const auto placed = std::ranges::find(ledger.placements, cache.op, &Placement::op);
    return placed == ledger.placements.end() ? std::nullopt
                                             : std::optional(static_cast<std::int64_t>(
                                                   placed->size.count / cache.per_token.count));
}

std::optional<KvFit> largest_kv_cache(const Lowered& lowered, const CostProfile* costs) {
    if (lowered.kv_caches.empty()) {
        return std::nullopt;
    }
    const KvCacheOp cache = lowered.kv_caches.front();
    const Bytes block = block_bytes(cache);
    if (block == Bytes{}) {
        return std::nullopt;
    }
    KvFit fit{0, cache.block_tokens, cache.per_token, {}, 0};
    Lowered tried = lowered;
    std::optional<std::int64_t> guess;
    std::map<std::int64_t, bool> answers;
    const Fits run_with = [&](std::int64_t blocks) {
        ++fit.runs;
        tried = with_kv_cache(std::move(tried), blocks * cache.block_tokens);
        const PlannedRun run = run_phases(tried, costs);
        if (blocks == 1) {
            guess = guess_of(tried, run, block);
        }
        return !run.ledger.failure;
    };
    const Fits fits = [&](std::int64_t blocks) {
        const auto [answer, is_new] = answers.try_emplace(blocks, false);
        if (is_new) {
            answer->second = run_with(blocks);
        }
        return answer->second;
    };
    const auto most =
        static_cast<std::int64_t>(lowered.program.machine.total_memory.count / block.count);
    if (most < 1 || !fits(1)) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> blocks = largest({1, most}, fits, guess);
    fit.tokens = *blocks * cache.block_tokens;
    fit.bytes = Bytes{static_cast<std::uint64_t>(*blocks) * block.count};
    return fit;
}

}  // namespace highwater::plan
