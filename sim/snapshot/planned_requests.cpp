#include "sim/snapshot/planned_requests.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

using Kind = Request::Kind;

const std::string kOrderOption = "--capture-order";

// Which capture takes each capture's place.
std::vector<std::size_t> order_of(const std::vector<FoundCapture>& captures,
                                  const CaptureOrderChange& wanted) {
    std::vector<std::size_t> order(captures.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (const auto* by_size = std::get_if<SizeOrder>(&wanted)) {
        const bool descending = *by_size == SizeOrder::kDescending;
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            const Bytes first = captures[descending ? b : a].requested;
            return first < captures[descending ? a : b].requested;
        });
        return order;
    }
    std::vector<std::size_t> numbers = std::get<std::vector<std::size_t>>(wanted);
    for (std::size_t& number : numbers) {
        --number;
    }
    if (!std::ranges::is_permutation(numbers, order)) {
        throw InputError({kOrderOption},
                         fmt::format("the history has {} captures", captures.size()),
                         "name each of their numbers, from 1, once");
    }
    return numbers;
}

class Planning {
  public:
    Planning(const Snapshot& snapshot,
             const RecordedHistory& recorded,
             const std::vector<FoundCapture>& captures,
             const Changes& changes,
             const StreamMap& streams)
        : snapshot_(snapshot),
          recorded_(recorded),
          captures_(captures),
          changes_(changes),
          streams_(streams) {
        for (const AddedWorkspace& each : streams.workspaces) {
            if (each.before) {
                workspaces_.emplace(*each.before, &each);
            }
        }
        for (const Region& region : recorded.history.regions) {
            if (region.pool && *region.pool != kDefaultPoolId) {
                private_pools_.insert(*region.pool);
            }
        }
    }

    std::vector<PlannedRequest> all() {
        const std::vector<std::size_t> order = order_of_captures();
        std::size_t next = 0;
        for (std::size_t i = 0; i < recorded_.requests.size();) {
            if (next < captures_.size() && captures_[next].first == i) {
                add_capture(order[next]);
                i = captures_[next++].end;
            } else {
                add(i++, std::nullopt);
            }
        }
        check_order();
        return std::move(planned_);
    }

  private:
    std::vector<std::size_t> order_of_captures() const {
        if (!changes_.capture_order) {
            return order_of(captures_, [this] {
                std::vector<std::size_t> same(captures_.size());
                std::iota(same.begin(), same.end(), std::size_t{1});
                return CaptureOrderChange(same);
            }());
        }
        if (captures_.size() < 2) {
            throw InputError({kOrderOption},
                             fmt::format("the history shows {} captures", captures_.size()),
                             "leave it out");
        }
        return order_of(captures_, *changes_.capture_order);
    }

    void add_capture(std::size_t number) {
        for (std::size_t i = captures_[number].first; i < captures_[number].end; ++i) {
            add(i, number);
        }
    }

    void add(std::size_t number, std::optional<std::size_t> capture) {
        const auto [first, last] = workspaces_.equal_range(number);
        for (auto each = first; each != last; ++each) {
            add_workspace(*each->second, capture);
        }
        const Request& request = recorded_.requests[number];
        if (changes_.drop_record_stream && request.kind == Kind::kCompleteFree) {
            return;
        }
        PlannedRequest planned{request, {}, streams_.of_request[number], {}};
        planned.request.waits &= !changes_.drop_record_stream;
        if (request.kind == Kind::kAlloc) {
            planned.pool = pool_of(request, capture);
        }
        if (request.kind == Kind::kEmptyCache || request.kind == Kind::kReleasePools) {
            planned.given_up = given_up_by(request);
        }
        planned_.push_back(std::move(planned));
    }

    void add_workspace(const AddedWorkspace& workspace, std::optional<std::size_t> capture) {
        const Request& beside = recorded_.requests[workspace.pool_of];
        Request request;
        request.kind = Kind::kAlloc;
        request.allocation = workspace.allocation;
        request.size = workspace.size;
        // No event shows it.
        request.first = request.end = beside.end;
        planned_.push_back({request, pool_of(beside, capture), workspace.stream, {}});
    }

    PoolId recorded_pool(RegionId region) const {
        return recorded_.history.regions[index_of(region)].pool.value_or(kDefaultPoolId);
    }

    PoolId pool_of(const Request& request, std::optional<std::size_t> capture) const {
        const PoolId pool = recorded_pool(request.region);
        if (changes_.pools == PoolChange::kPerGraph && capture && pool != kDefaultPoolId) {
            return {kSharedPool.first, *capture + 1};
        }
        return planned_pool(pool, changes_);
    }

    std::vector<PoolId> given_up_by(const Request& request) {
        std::vector<PoolId> result;
        for (std::size_t i = request.first; i < request.end; ++i) {
            const PoolId pool = recorded_pool(recorded_.history.region_of[i]);
            if (pool != kDefaultPoolId && given_up_.insert(pool).second) {
                add_given_up(result, pool);
            }
        }
        return result;
    }

    void add_given_up(std::vector<PoolId>& result, PoolId pool) const {
        if (changes_.pools == PoolChange::kShared) {
            if (given_up_ == private_pools_) {
                result.push_back(kSharedPool);
            }
            return;
        }
        result.push_back(pool);
        for (std::size_t i = 0; i < captures_.size(); ++i) {
            if (changes_.pools == PoolChange::kPerGraph && captures_[i].pool == pool) {
                result.push_back({kSharedPool.first, i + 1});
            }
        }
    }

    void check_order() const {
        std::set<AllocationId> made;
        const std::size_t at_start = start_allocations(recorded_.history);
        for (const PlannedRequest& planned : planned_) {
            const Request& request = planned.request;
            if (request.kind == Kind::kAlloc) {
                made.insert(request.allocation);
            } else if (request.kind == Kind::kFree && index_of(request.allocation) >= at_start &&
                       made.erase(request.allocation) == 0) {
                throw InputError({kOrderOption},
                                 "a capture frees what another one allocated, and would come "
                                 "before it",
                                 "keep these captures in their order");
            }
        }
    }

    const Snapshot& snapshot_;
    const RecordedHistory& recorded_;
    const std::vector<FoundCapture>& captures_;
    const Changes& changes_;
    const StreamMap& streams_;
    // By the request before which it is made.
    std::multimap<std::size_t, const AddedWorkspace*> workspaces_;
    std::set<PoolId> private_pools_;
    std::set<PoolId> given_up_;
    std::vector<PlannedRequest> planned_;
};

}  // namespace

PoolId planned_pool(PoolId recorded, const Changes& changes) {
    if (recorded == kDefaultPoolId || !changes.pools || changes.pools == PoolChange::kPerGraph) {
        return recorded;
    }
    return changes.pools == PoolChange::kShared ? kSharedPool : kDefaultPoolId;
}

std::vector<PlannedRequest> planned_requests(const Snapshot& snapshot,
                                             const RecordedHistory& recorded,
                                             const std::vector<FoundCapture>& captures,
                                             const Changes& changes,
                                             const StreamMap& streams) {
    return Planning(snapshot, recorded, captures, changes, streams).all();
}

}  // namespace highwater
