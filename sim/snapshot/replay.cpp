#include "sim/snapshot/replay.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/allocator/constants.hpp"
#include "sim/core/error.hpp"
#include "sim/snapshot/exact_replay.hpp"
#include "sim/snapshot/no_split.hpp"
#include "sim/snapshot/planned_requests.hpp"
#include "sim/snapshot/settings_of.hpp"

namespace highwater {
namespace {

RecordedHistory recorded_history(const Snapshot& snapshot) {
    RecordedHistory recorded{settings_of(snapshot), {}, HistoryStreams(snapshot), {}, {}};
    recorded.history = history_of(snapshot, recorded.settings);
    recorded.requests = requests_of(snapshot, recorded.history);
    return recorded;
}

// The rules rely on it.
void check_sizes(const Snapshot& snapshot) {
    for (const SnapshotSegment& segment : snapshot.segments) {
        for (const SnapshotBlock& block : segment.blocks) {
            if (block.size % kMinBlockSize > Bytes{0}) {
                throw InputError({snapshot.name},
                                 fmt::format("the block at {:#x} has {} B, and PyTorch's blocks "
                                             "are multiples of 512 B",
                                             block.address.value,
                                             block.size.count),
                                 "take the snapshot again: this one was changed");
            }
        }
    }
}

bool knows_all_pools(const History& history) {
    return std::ranges::all_of(history.regions,
                               [](const Region& region) { return region.pool.has_value(); });
}

std::vector<PoolId> inferred_pools(const Snapshot& snapshot, const RecordedHistory& recorded) {
    const std::vector<PoolId> placeholders = with_placeholders(recorded.history);
    PoolEvidence evidence(recorded.history, placeholders);
    ExactReplay replay(snapshot, recorded, placeholders);
    replay.set_evidence(&evidence);
    replay.run();
    return evidence.solve();
}

void note_inferred_pools(std::vector<std::string>& notices,
                         const History& history,
                         const std::vector<PoolId>& pools) {
    std::size_t by_default = 0;
    std::size_t others = 0;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        if (!history.regions[i].pool) {
            ++(pools[i] == kDefaultPoolId ? by_default : others);
        }
    }
    if (by_default + others > 0) {
        notices.push_back(fmt::format(
            "the file does not tell the pools of {} segments that were given back: {} are taken to "
            "be of the default pool, and {} cannot be, by what served the requests",
            by_default + others,
            by_default,
            others));
    }
}

Replay result_of(const RecordedHistory& recorded,
                 const ExactReplay& exact,
                 const std::vector<PoolId>& pools) {
    Replay result{recorded, exact.departure(), exact.ledger(), recorded.history.notices};
    note_inferred_pools(result.notices, recorded.history, pools);
    result.recorded.requests = exact.requests();
    for (std::size_t i = 0; i < pools.size(); ++i) {
        result.recorded.history.regions[i].pool = pools[i];
    }
    return result;
}

// Settings changed while the program ran: the default ones up to some event, then those that the
// file was written with. The change lies before the first event that the default ones do not meet.
// A change that comes too late parts there again, one that comes too early elsewhere.
class ChangeSearch {
  public:
    ChangeSearch(const Snapshot& snapshot,
                 const RecordedHistory& recorded,
                 const std::vector<PoolId>& pools)
        : snapshot_(snapshot), recorded_(recorded), before_(recorded), pools_(pools) {
        before_.settings = AllocatorSettings();
    }

    std::optional<Replay> run() {
        ExactReplay probe(snapshot_, before_, pools_);
        probe.run();
        if (!probe.departure()) {
            return result(probe, snapshot_.events.size());
        }
        std::size_t low = recorded_.history.first_event;
        std::size_t high = probe.departure()->event;
        const std::size_t last = high;
        while (low <= high) {
            const std::size_t middle = high - (high - low) / 2;
            ExactReplay changed(snapshot_, before_, pools_);
            changed.change_settings(middle, recorded_.settings);
            changed.run();
            if (!changed.departure()) {
                return result(changed, middle);
            }
            if (changed.departure()->event != last) {
                low = middle + 1;
            } else if (middle == 0) {
                break;
            } else {
                high = middle - 1;
            }
        }
        return std::nullopt;
    }

  private:
    Replay result(const ExactReplay& exact, std::size_t event) const {
        Replay result = result_of(recorded_, exact, pools_);
        result.notices.push_back(
            fmt::format("the settings in the file fit from about event {} on; before, the default "
                        "ones fit: they were changed while the program ran",
                        event));
        return result;
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    RecordedHistory before_;
    const std::vector<PoolId>& pools_;
};

std::string names_of(const std::vector<PoolId>& pools) {
    std::vector<std::string> names;
    for (const PoolId pool : pools) {
        names.push_back(fmt::format("({}, {})", pool.first, pool.second));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

// With the pools that may be MemPool(no_split=True) taken to be.
std::optional<Replay> replay_without_splits(const Snapshot& snapshot,
                                            const RecordedHistory& recorded,
                                            const std::vector<PoolId>& pools) {
    std::vector<PoolId> maybe = maybe_no_split(snapshot, recorded);
    if (maybe.empty()) {
        return std::nullopt;
    }
    const RecordedHistory unsplit = with_no_split(recorded, std::move(maybe));
    ExactReplay exact(snapshot, unsplit, pools);
    exact.run();
    return exact.departure() ? std::nullopt : std::optional(result_of(unsplit, exact, pools));
}

// That of `found`, or that of pools that do not split: whichever meets the history.
Replay with_unsplit_pools(const Snapshot& snapshot,
                          const RecordedHistory& recorded,
                          const std::vector<PoolId>& pools,
                          Replay found) {
    std::optional<Replay> unsplit = replay_without_splits(snapshot, recorded, pools);
    if (!unsplit) {
        return found;
    }
    const std::string names = names_of(unsplit->recorded.no_split);
    if (!found.departure) {
        found.notices.push_back(fmt::format(
            "the pools {} are taken to split their blocks; with MemPool's no_split the history "
            "would be the same",
            names));
        return found;
    }
    unsplit->notices.push_back(fmt::format(
        "the pools {} do not split their blocks (MemPool's no_split): the history is met so, and "
        "not otherwise",
        names));
    return *std::move(unsplit);
}

void grow(History& history, const ExactReplay::Growth& growth) {
    for (StartRange& range : history.start) {
        for (StartBlock& block : range.blocks) {
            if (block.address == growth.block) {
                block.size += growth.by;
                block.slack -= growth.by;
            }
        }
    }
}

Replay replay_with(const Snapshot& snapshot,
                   RecordedHistory recorded,
                   const std::vector<PoolId>& pools) {
    constexpr int kMostGrowths = 100;
    std::optional<Replay> first;
    for (int i = 0; i <= kMostGrowths; ++i) {
        ExactReplay exact(snapshot, recorded, pools);
        exact.run();
        if (!exact.departure()) {
            return with_unsplit_pools(snapshot, recorded, pools, result_of(recorded, exact, pools));
        }
        if (!first) {
            first =
                with_unsplit_pools(snapshot, recorded, pools, result_of(recorded, exact, pools));
            if (!first->departure) {
                return *std::move(first);
            }
        }
        if (!exact.growth()) {
            break;
        }
        grow(recorded.history, *exact.growth());
    }
    if (auto changed = ChangeSearch(snapshot, recorded, pools).run()) {
        return *std::move(changed);
    }
    return *std::move(first);
}

}  // namespace

std::map<PoolId, std::string> pool_names(const std::vector<PoolId>& pools) {
    std::map<PoolId, std::string> names;
    for (const PoolId pool : pools) {
        if (pool.first == kPlaceholderPools) {
            names[pool] = fmt::format("unknown {}", pool.second + 1);
        } else if (pool == kSharedPool) {
            names[pool] = "shared by captures";
        } else if (pool.first == kSharedPool.first) {
            names[pool] = fmt::format("of capture {}", pool.second);
        } else if (pool.first == kInferredPools) {
            names[pool] = fmt::format("private {} (inferred)", pool.second + 1);
        } else if (pool != kDefaultPoolId) {
            names[pool] = fmt::format("private ({}, {})", pool.first, pool.second);
        }
    }
    return names;
}

Replay replay(const Snapshot& snapshot) {
    check_sizes(snapshot);
    const RecordedHistory recorded = recorded_history(snapshot);
    const std::vector<PoolId> known = with_placeholders(recorded.history);
    if (knows_all_pools(recorded.history)) {
        return replay_with(snapshot, recorded, known);
    }
    Replay result = replay_with(snapshot, recorded, inferred_pools(snapshot, recorded));
    if (!result.departure) {
        return result;
    }
    // Each region a pool of its own asks less of the history.
    Replay apart = replay_with(snapshot, recorded, known);
    if (apart.departure) {
        return result;
    }
    apart.notices.emplace_back(
        "no pools are found for the segments that were given back: each is taken to be a pool of "
        "its own, which a what-if then keeps apart");
    return apart;
}

}  // namespace highwater
