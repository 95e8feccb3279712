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

namespace {

// Runs with caches of so many blocks, each once.
class CacheSearch {
  public:
    CacheSearch(const Lowered& lowered, const CostProfile* costs)
        : tried_(lowered), costs_(costs), cache_(lowered.kv_caches.front()) {}

    std::optional<std::int64_t> largest_in_blocks() {
        const auto most = static_cast<std::int64_t>(tried_.program.machine.total_memory.count /
                                                    block_bytes(cache_).count);
        const Fits fits_with = [this](std::int64_t blocks) { return fits(blocks); };
        if (most < 1 || !fits(1)) {
            return std::nullopt;
        }
        return largest({1, most}, fits_with, guess_);
    }
    std::size_t runs() const { return answers_.size(); }
    /// Of the last run that came to its end.
    Bytes driver_error() const { return driver_error_; }

  private:
    bool fits(std::int64_t blocks) {
        const auto [answer, is_new] = answers_.try_emplace(blocks, false);
        if (is_new) {
            answer->second = run_with(blocks);
        }
        return answer->second;
    }

    bool run_with(std::int64_t blocks) {
        tried_ = with_kv_cache(std::move(tried_), blocks * cache_.block_tokens);
        const PlannedRun run = run_phases(tried_, costs_);
        if (!has_room(run.ledger)) {
            return false;
        }
        driver_error_ = highwater::driver_error(run.ledger);
        if (blocks == 1) {
            guess_ = guess_of(tried_, run, block_bytes(cache_));
        }
        return true;
    }

    Lowered tried_;
    const CostProfile* costs_;
    KvCacheOp cache_;
    std::optional<std::int64_t> guess_;
    std::map<std::int64_t, bool> answers_;
    Bytes driver_error_;
};

Lowered on_smaller_card(Lowered lowered, Bytes less) {
    Bytes& total = lowered.program.machine.total_memory;
    total -= std::min(less, total);
    return lowered;
}

}  // namespace

std::optional<KvFit> largest_kv_cache(const Lowered& lowered, const CostProfile* costs) {
    if (lowered.kv_caches.empty() || block_bytes(lowered.kv_caches.front()) == Bytes{}) {
        return std::nullopt;
    }
    const KvCacheOp& cache = lowered.kv_caches.front();
    CacheSearch search(lowered, costs);
    const std::optional<std::int64_t> blocks = search.largest_in_blocks();
    if (!blocks) {
        return std::nullopt;
    }
    const std::int64_t tokens = *blocks * cache.block_tokens;
    KvFit fit{tokens,
              cache.block_tokens,
              cache.per_token,
              Bytes{static_cast<std::uint64_t>(*blocks) * block_bytes(cache).count},
              search.runs(),
              tokens,
              search.driver_error()};
    if (fit.held_back > Bytes{}) {
        CacheSearch safe(on_smaller_card(lowered, fit.held_back), costs);
        fit.safe_tokens = safe.largest_in_blocks().value_or(0) * cache.block_tokens;
        fit.runs += safe.runs();
    }
    return fit;
}

}  // namespace highwater::plan
