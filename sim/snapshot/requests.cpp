#include "sim/snapshot/requests.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;
using Kind = Request::Kind;

bool gives_back(Action action) {
    return action == Action::kSegmentFree || action == Action::kSegmentUnmap;
}
bool takes(Action action) {
    return action == Action::kSegmentAlloc || action == Action::kSegmentMap;
}

class Grouping {
  public:
    Grouping(const Snapshot& snapshot, const History& history)
        : events_(snapshot.events), history_(history), at_(history.first_event) {
        for (const StartRange& range : history.start) {
            for (const StartBlock& block : range.blocks) {
                live_[block.address.value] = next_allocation();
            }
        }
    }

    RequestList all() {
        while (at_ < events_.size()) {
            const std::size_t before = at_;
            group();
            at_ = std::max(at_, before + 1);
        }
        return std::move(requests_);
    }

  private:
    AllocationId next_allocation() { return AllocationId{allocations_++}; }

    Request made(Kind kind, std::size_t first, std::size_t end) const {
        const SnapshotEvent& last = events_[end - 1];
        Request request;
        request.kind = kind;
        request.size = last.size;
        request.stream = last.stream;
        request.region = history_.region_of(end - 1);
        request.first = first;
        request.end = end;
        return request;
    }

    void add(const Request& request) {
        requests_.push_back(request);
        at_ = request.end;
    }

    void add(Kind kind, std::size_t first, std::size_t end) { add(made(kind, first, end)); }

    void add(Request request, AllocationId allocation) {
        request.allocation = allocation;
        add(request);
    }

    std::size_t end_of(bool (*belongs)(Action), std::size_t from) const {
        while (from < events_.size() && belongs(events_[from].action)) {
            ++from;
        }
        return from;
    }

    void group() {
        const Action action = events_[at_].action;
        if (gives_back(action)) {
            add(Kind::kRelease, at_, end_of(gives_back, at_));
        } else if (takes(action) || action == Action::kAlloc) {
            group_alloc();
        } else if (action == Action::kFreeRequested) {
            group_free();
        } else if (action == Action::kFreeCompleted) {
            const AllocationId allocation = live_[events_[at_].address.value];
            add(made(Kind::kCompleteFree, at_, at_ + 1), allocation);
        } else if (action == Action::kOom) {
            add(Kind::kOutOfMemory, at_, at_ + 1);
        }
    }

    void group_alloc() {
        const std::size_t last = end_of(takes, at_);
        if (last == events_.size() || events_[last].action != Action::kAlloc) {
            // Memory taken for a request that failed after all, or that the file ends before.
            add(Kind::kOutOfMemory, at_, last);
            return;
        }
        const AllocationId allocation = next_allocation();
        live_[events_[last].address.value] = allocation;
        add(made(Kind::kAlloc, at_, last + 1), allocation);
    }

    void group_free() {
        const SnapshotEvent& event = events_[at_];
        const bool completes = at_ + 1 < events_.size() &&
                               events_[at_ + 1].action == Action::kFreeCompleted &&
                               events_[at_ + 1].address == event.address;
        const AllocationId allocation = live_[event.address.value];
        Request request = made(Kind::kFree, at_, at_ + (completes ? 2 : 1));
        request.waits = !completes;
        add(request, allocation);
    }

    const EventList& events_;
    const History& history_;
    std::size_t at_;
    std::uint32_t allocations_ = 0;
    /// Looked up only, never walked over.
    std::unordered_map<std::uint64_t, AllocationId> live_;
    RequestList requests_;
};

// Allocations in a row whose blocks fill a segment of a private pool from its begin to its end.
class Restorations {
  public:
    Restorations(const Snapshot& snapshot, const History& history, const RequestList& requests)
        : snapshot_(snapshot), history_(history), requests_(requests) {}

    // By their places.
    std::vector<std::size_t> all() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < requests_.size();) {
            const std::size_t end = end_of_segment(i);
            // A segment that is one block comes out the same by the rules.
            for (std::size_t each = i; end > i + 1 && each < end; ++each) {
                found.push_back(each);
            }
            i = std::max(end, i + 1);
        }
        return found;
    }

  private:
    Address address_of(const Request& request) const {
        return snapshot_.events[request.end - 1].address;
    }

    // Behind the last of them, or `first` if there are none.
    std::size_t end_of_segment(std::size_t first) const {
        const Request begin = requests_[first];
        if (begin.kind != Kind::kAlloc) {
            return first;
        }
        const RegionId id = begin.region;
        const Region& region = history_.regions[index_of(id)];
        if (region.pool == kDefaultPoolId || address_of(begin) != region.begin) {
            return first;
        }
        Address at = region.begin;
        for (std::size_t i = first; i < requests_.size(); ++i) {
            const Request request = requests_[i];
            if (request.kind != Kind::kAlloc || request.region != id ||
                request.end - request.first != 1 || address_of(request) != at) {
                return first;
            }
            at = at + request.size;
            if (at == region.end) {
                return i + 1;
            }
        }
        return first;
    }

    const Snapshot& snapshot_;
    const History& history_;
    const RequestList& requests_;
};

}  // namespace

RequestList requests_of(const Snapshot& snapshot, const History& history) {
    RequestList requests = Grouping(snapshot, history).all();
    const std::vector<std::size_t> restored = Restorations(snapshot, history, requests).all();
    if (restored.empty()) {
        return requests;
    }
    RequestList marked;
    auto next = restored.begin();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Request request = requests[i];
        if (next != restored.end() && *next == i) {
            request.is_restored = true;
            ++next;
        }
        marked.push_back(request);
    }
    return marked;
}

std::size_t start_allocations(const History& history) {
    std::size_t count = 0;
    for (const StartRange& range : history.start) {
        count += range.blocks.size();
    }
    return count;
}

}  // namespace highwater
