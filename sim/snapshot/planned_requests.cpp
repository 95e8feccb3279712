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
    using Make = std::function<bool(const PlannedRequest&)>;

    Planning(const HistoryChanges& history, const Make& make)
        : recorded_(history.recorded),
          captures_(history.captures),
          changes_(history.changes),
          streams_(history.streams),
          make_(make) {
        for (const AddedWorkspace& each : streams_.workspaces) {
            if (each.before) {
                workspaces_.emplace(*each.before, &each);
            }
        }
        for (const Region& region : recorded_.history.regions) {
            if (region.pool && *region.pool != kDefaultPoolId) {
                private_pools_.insert(*region.pool);
            }
        }
    }

    void make_all() {
        const std::vector<std::size_t> order = order_of_captures();
        if (changes_.capture_order) {
            check_order(order);
        }
        walk(order, [this](std::size_t number, std::optional<std::size_t> capture) {
            return add(number, capture);
        });
    }

  private:
    // All requests by their numbers, with that of their capture, until `visit` says no.
    void walk(const std::vector<std::size_t>& order, const auto& visit) const {
        std::size_t next = 0;
        bool goes_on = true;
        for (std::size_t i = 0; i < recorded_.requests.size() && goes_on;) {
            if (next == captures_.size() || captures_[next].first != i) {
                goes_on = visit(i++, std::nullopt);
                continue;
            }
            const FoundCapture& capture = captures_[order[next]];
            for (std::size_t each = capture.first; each < capture.end && goes_on; ++each) {
                goes_on = visit(each, order[next]);
            }
            i = captures_[next++].end;
        }
    }

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

    bool add(std::size_t number, std::optional<std::size_t> capture) {
        const auto [first, last] = workspaces_.equal_range(number);
        for (auto each = first; each != last; ++each) {
            if (!add_workspace(*each->second, capture)) {
                return false;
            }
        }
        const Request request = recorded_.requests[number];
        if (changes_.drop_record_stream && request.kind == Kind::kCompleteFree) {
            return true;
        }
        PlannedRequest planned{request, {}, streams_.of_request[number], {}};
        planned.request.waits &= !changes_.drop_record_stream;
        if (request.kind == Kind::kAlloc) {
            planned.pool = pool_of(request, capture);
        }
        if (request.kind == Kind::kEmptyCache || request.kind == Kind::kReleasePools) {
            planned.given_up = given_up_by(request);
        }
        return make_(planned);
    }

    bool add_workspace(const AddedWorkspace& workspace, std::optional<std::size_t> capture) {
        const Request beside = recorded_.requests[workspace.pool_of];
        Request request;
        request.kind = Kind::kAlloc;
        request.allocation = workspace.allocation;
        request.size = workspace.size;
        // No event shows it.
        request.first = request.end = beside.end;
        return make_({request, pool_of(beside, capture), workspace.stream, {}});
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
            const PoolId pool = recorded_pool(recorded_.history.region_of(i));
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

    void check_order(const std::vector<std::size_t>& order) const {
        std::set<AllocationId> made;
        const std::size_t at_start = start_allocations(recorded_.history);
        walk(order, [&](std::size_t number, std::optional<std::size_t> /*capture*/) {
            const Request request = recorded_.requests[number];
            if (request.kind == Kind::kAlloc) {
                made.insert(request.allocation);
            } else if (request.kind == Kind::kFree && index_of(request.allocation) >= at_start &&
                       made.erase(request.allocation) == 0) {
                throw InputError({kOrderOption},
                                 "a capture frees what another one allocated, and would come "
                                 "before it",
                                 "keep these captures in their order");
            }
            return true;
        });
    }

    const RecordedHistory& recorded_;
    const std::vector<FoundCapture>& captures_;
    const Changes& changes_;
    const StreamMap& streams_;
    const Make& make_;
    // By the request before which it is made.
    std::multimap<std::size_t, const AddedWorkspace*> workspaces_;
    std::set<PoolId> private_pools_;
    std::set<PoolId> given_up_;
};

}  // namespace

PoolId planned_pool(PoolId recorded, const Changes& changes) {
    if (recorded == kDefaultPoolId || !changes.pools || changes.pools == PoolChange::kPerGraph) {
        return recorded;
    }
    return changes.pools == PoolChange::kShared ? kSharedPool : kDefaultPoolId;
}

void make_requests(const HistoryChanges& history,
                   const std::function<bool(const PlannedRequest&)>& make) {
    Planning(history, make).make_all();
}

}  // namespace highwater
