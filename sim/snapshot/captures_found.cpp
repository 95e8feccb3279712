#include "sim/snapshot/captures_found.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace highwater {
namespace {

using Kind = Request::Kind;

// A turn of a pattern: -1 for an allocation, for a free how many allocations ago it was made.
using Turn = std::int64_t;

// The least length that the whole is a repetition of.
std::size_t period_of(const std::vector<Turn>& turns) {
    std::vector<std::size_t> border(turns.size() + 1, 0);
    for (std::size_t i = 1, match = 0; i < turns.size(); ++i) {
        while (match > 0 && turns[i] != turns[match]) {
            match = border[match];
        }
        match += turns[i] == turns[match] ? 1U : 0U;
        border[i + 1] = match;
    }
    const std::size_t period = turns.size() - border[turns.size()];
    return turns.size() % period == 0 ? period : turns.size();
}

class Search {
  public:
    explicit Search(const RecordedHistory& recorded)
        : requests_(recorded.requests), regions_(recorded.history.regions) {}

    std::vector<FoundCapture> all() {
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            visit(i);
        }
        close(requests_.size());
        return std::move(found_);
    }

  private:
    PoolId pool_of(const Request& request) const {
        return request.region == kNoRegion
                   ? kDefaultPoolId
                   : regions_[index_of(request.region)].pool.value_or(kDefaultPoolId);
    }

    void visit(std::size_t i) {
        const Request request = requests_[i];
        const bool is_alloc = request.kind == Kind::kAlloc;
        const bool captures =
            is_alloc && pool_of(request) != kDefaultPoolId && request.stream != StreamHandle{0};
        if (open_ && ((is_alloc && (!captures || pool_of(request) != open_->pool)) ||
                      request.kind == Kind::kEmptyCache)) {
            close(i);
        }
        if (captures && !open_) {
            open_ = {i, i, pool_of(request), {}};
        }
    }

    void close(std::size_t end) {
        if (open_) {
            open_->end = end;
            split(*open_);
            open_.reset();
        }
    }

    // Frees of what was allocated before have no turn: they may come in any capture.
    void split(const FoundCapture& run) {
        std::vector<Turn> turns;
        std::vector<std::size_t> at;
        std::map<AllocationId, Turn> made;
        for (std::size_t i = run.first; i < run.end; ++i) {
            const Request request = requests_[i];
            if (request.kind == Kind::kAlloc) {
                made[request.allocation] = static_cast<Turn>(made.size());
                turns.push_back(-1);
                at.push_back(i);
            } else if (const auto known = made.find(request.allocation);
                       request.kind == Kind::kFree && known != made.end()) {
                turns.push_back(static_cast<Turn>(made.size()) - known->second);
                at.push_back(i);
            }
        }
        std::size_t period = period_of(turns);
        if (!are_of_one_model(at, period)) {
            period = turns.size();
        }
        for (std::size_t turn = 0; turn < turns.size(); turn += period) {
            const std::size_t next = turn + period;
            add({at[turn], next < at.size() ? at[next] : run.end, run.pool, {}});
        }
    }

    // Captures of a model go by the same streams for other sizes. Turns of the same sizes, or by
    // streams of their own, are layers of one capture.
    bool are_of_one_model(const std::vector<std::size_t>& at, std::size_t period) const {
        bool differs = false;
        for (std::size_t i = period; i < at.size(); ++i) {
            const Request now = requests_[at[i]];
            const Request before = requests_[at[i - period]];
            if (now.kind == Kind::kAlloc && now.stream != before.stream) {
                return false;
            }
            differs = differs || (now.kind == Kind::kAlloc && now.size != before.size);
        }
        return differs;
    }

    void add(FoundCapture capture) {
        for (std::size_t i = capture.first; i < capture.end; ++i) {
            const Request request = requests_[i];
            capture.requested += request.kind == Kind::kAlloc ? request.size : Bytes{0};
        }
        found_.push_back(capture);
    }

    const RequestList& requests_;
    const std::vector<Region>& regions_;
    std::optional<FoundCapture> open_;
    std::vector<FoundCapture> found_;
};

}  // namespace

std::vector<FoundCapture> captures_found(const RecordedHistory& recorded) {
    return Search(recorded).all();
}

}  // namespace highwater
