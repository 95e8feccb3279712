#include "sim/snapshot/exact_replay.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/release.hpp"
#include "sim/allocator/rounding.hpp"
#include "sim/snapshot/departure_reason.hpp"
#include "sim/snapshot/event_text.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;
using Kind = Request::Kind;

std::vector<TraceEvent> gains_of(const Snapshot& snapshot, std::size_t first) {
    std::vector<TraceEvent> gains;
    for (std::size_t i = first; i < snapshot.events.size(); ++i) {
        const SnapshotEvent& event = snapshot.events[i];
        if (event.action == Action::kSegmentAlloc || event.action == Action::kSegmentMap) {
            gains.push_back({.kind = event.action == Action::kSegmentAlloc
                                         ? TraceEvent::Kind::kSegmentAlloc
                                         : TraceEvent::Kind::kSegmentMap,
                             .stream = {},
                             .address = event.address,
                             .size = event.size,
                             .pool = {}});
        }
    }
    return gains;
}

bool is_replayed(Action action) {
    return action != Action::kSnapshot && action != Action::kAnnotation && action != Action::kOom;
}

}  // namespace

ExactReplay::ExactReplay(const Snapshot& snapshot,
                         const RecordedHistory& recorded,
                         const std::vector<PoolId>& pools)
    : snapshot_(snapshot),
      recorded_(recorded),
      pools_(pools),
      memory_(gains_of(snapshot, recorded.history.first_event)),
      simulated_(recorded.settings, kHistoryMemory, memory_, recorded.streams.handles()),
      requests_(recorded.requests),
      next_(recorded.history.first_event) {
    simulated_.forbid_splits(recorded.no_split);
    simulated_.adopt(recorded.history,
                     start_segments(snapshot, recorded.history, recorded.streams, pools));
    simulated_.begin(recorded.history);
    for (const StartRange& range : recorded.history.start) {
        for (const StartBlock& block : range.blocks) {
            if (block.slack > Bytes{0}) {
                slack_[block.address] = block.slack;
            }
        }
    }
    simulated_.state().trace = this;
}

void ExactReplay::run() {
    ledger_.start(simulated_);
    for (std::size_t i = 0; i < requests_.size() && !departure_; ++i) {
        const Request request = request_at(i);
        infer_flush(i, request);
        if (change_ && request.end > change_->event) {
            simulated_.state().settings = change_->settings;
            change_.reset();
        }
        step(i, request);
        ledger_.note(simulated_);
        expect_done(request.end);
    }
    skip_unreplayed();
    if (!departure_) {
        compare_end();
    }
    ledger_.end(simulated_, pool_names(pools_));
}

// With its kind found out.
Request ExactReplay::request_at(std::size_t index) {
    Request request = requests_[index];
    if (request.kind == Kind::kRelease) {
        gather_evidence(index);
        request.kind = kind_of_release(index);
        if (request.kind != Kind::kRelease) {
            found_kinds_[index] = request.kind;
        }
    }
    return request;
}

void ExactReplay::step(std::size_t index, const Request& request) {
    try {
        switch (request.kind) {
            case Kind::kAlloc:
                alloc(index, request);
                break;
            case Kind::kFree:
                simulated_.free(request.allocation, request.waits);
                break;
            case Kind::kCompleteFree:
                simulated_.complete(request.allocation);
                break;
            case Kind::kOutOfMemory:
                ++simulated_.state().counters.num_ooms;
                break;
            default:
                release(request);
                break;
        }
    } catch (const PredictedError& error) {
        depart(next_,
               describe(snapshot_.events[next_]),
               error.what(),
               "PyTorch would have stopped here, and did not");
    }
}

void ExactReplay::alloc(std::size_t index, const Request& request) {
    const StreamId stream = recorded_.streams.id_of(request.stream);
    const bool is_new = request.end - request.first > 1;
    if (evidence_ != nullptr) {
        evidence_->note_request(simulated_, request.size, stream, request.region, is_new);
        for (std::size_t i = request.first; i + 1 < request.end; ++i) {
            evidence_->region_grew(request.region, snapshot_.events[i].size);
        }
    }
    if (!slack_.empty()) {
        explain_by_growth(request);
    }
    const PoolId pool = pools_[index_of(request.region)];
    const Address address = snapshot_.events[request.end - 1].address;
    if (missed_block(index)) {
        note_retry(index);
        simulated_.grow(request.allocation, request.size, stream, pool);
        return;
    }
    const bool is_ordinary = request.is_restored && follows_rules(request);
    if (is_ordinary) {
        ordinary_.insert(index);
    }
    if (!request.is_restored || is_ordinary ||
        !simulated_.restore(request.allocation, request.size, address)) {
        simulated_.alloc(request.allocation, request.size, stream, pool);
    }
}

void ExactReplay::release(const Request& request) {
    if (request.kind == Kind::kEmptyCache) {
        ++simulated_.state().counters.num_sync_all_streams;
    }
    for (std::size_t i = request.first; i < request.end && !departure_; ++i) {
        release_one(snapshot_.events[i]);
        if (evidence_ != nullptr) {
            evidence_->region_shrank(recorded_.history.region_of(i), snapshot_.events[i].size);
        }
    }
}

// The free block that holds the memory, given back as the rules would.
void ExactReplay::release_one(const SnapshotEvent& event) {
    if (const BlockId block = simulated_.free_block_around(event.address); block != kNoBlock) {
        allocator::release_block(simulated_.state(), block);
    }
}

void ExactReplay::skip_unreplayed() {
    while (next_ < snapshot_.events.size() && !is_replayed(snapshot_.events[next_].action)) {
        ++next_;
    }
}

void ExactReplay::take(const TraceEvent& event) {
    skip_unreplayed();
    if (departure_) {
        return;
    }
    if (next_ == snapshot_.events.size()) {
        depart(
            next_, "no more events", describe(event, recorded_.streams), "the file ends too early");
        return;
    }
    const SnapshotEvent& expected = snapshot_.events[next_];
    if (!is_same(expected, event, recorded_.streams)) {
        depart(next_,
               describe(expected),
               describe(event, recorded_.streams),
               departure_reason(recorded_, expected, &event));
        return;
    }
    ++next_;
}

void ExactReplay::depart(std::size_t event,
                         std::string expected,
                         std::string got,
                         std::string reason) {
    if (!departure_) {
        departure_ = {event, std::move(expected), std::move(got), std::move(reason)};
    }
}

void ExactReplay::expect_done(std::size_t end) {
    skip_unreplayed();
    if (next_ < end && !departure_) {
        const SnapshotEvent& expected = snapshot_.events[next_];
        depart(
            next_, describe(expected), "nothing", departure_reason(recorded_, expected, nullptr));
    }
}

void ExactReplay::compare_end() {
    const std::vector<SegmentInfo> got = allocator::snapshot(simulated_.state());
    if (const auto difference = segment_difference(snapshot_, got, recorded_.streams)) {
        depart(snapshot_.events.size(),
               difference->first,
               difference->second,
               "events that leave no trace, such as recording switched off for a while");
    }
}

}  // namespace highwater
