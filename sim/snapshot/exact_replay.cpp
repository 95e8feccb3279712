#include "sim/snapshot/exact_replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/allocator/expandable.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/allocator/release.hpp"
#include "sim/engine/pool_rows.hpp"
#include "sim/snapshot/event_text.hpp"

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;
using Kind = Request::Kind;

// Of no card: it only bounds expandable segments, which never reach their end.
constexpr Bytes kTotalMemory{std::uint64_t{1} << 40U};

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

std::vector<StreamHandle> handles_of(const HistoryStreams& streams) {
    std::vector<StreamHandle> handles;
    for (std::uint32_t i = 0; i < streams.size(); ++i) {
        handles.push_back(streams.handle_of(StreamId{i}));
    }
    return handles;
}

}  // namespace

ExactReplay::ExactReplay(const Snapshot& snapshot,
                         const RecordedHistory& recorded,
                         const std::vector<PoolId>& pools)
    : snapshot_(snapshot),
      recorded_(recorded),
      pools_(pools),
      memory_(gains_of(snapshot, recorded.history.first_event)),
      simulated_(recorded.settings, kTotalMemory, memory_, handles_of(recorded.streams)),
      requests_(recorded.requests),
      next_(recorded.history.first_event) {
    simulated_.adopt(recorded.history,
                     start_segments(snapshot, recorded.history, recorded.streams, pools));
    simulated_.state().trace = this;
    peak_ = simulated_.state().counters.stats();
}

void ExactReplay::run() {
    add_checkpoint("start");
    for (std::size_t i = 0; i < requests_.size() && !departure_; ++i) {
        if (requests_[i].kind == Kind::kRelease) {
            requests_[i].kind = kind_of_release(requests_[i]);
        }
        infer_flush(i);
        step(requests_[i]);
        expect_done(requests_[i].end);
    }
    skip_unreplayed();
    if (!departure_) {
        compare_end();
    }
    ledger_.checkpoints.push_back({.name = "peak", .stats = peak_});
    add_checkpoint("end");
    ledger_.result = ledger_.checkpoints.back().stats;
    ledger_.segments = allocator::snapshot(simulated_.state());
    ledger_.pools = pool_rows(simulated_.state(), pool_names(recorded_.history));
}

void ExactReplay::step(const Request& request) {
    try {
        switch (request.kind) {
            case Kind::kAlloc: alloc(request); break;
            case Kind::kFree: simulated_.free(request.allocation, request.waits); break;
            case Kind::kCompleteFree: simulated_.complete(request.allocation); break;
            case Kind::kOutOfMemory: ++simulated_.state().counters.num_ooms; break;
            default: release(request); break;
        }
    } catch (const PredictedError& error) {
        depart(next_, describe(snapshot_.events[next_]), error.what(), "");
    }
}

void ExactReplay::alloc(const Request& request) {
    const StreamId stream = recorded_.streams.id_of(request.stream);
    const bool is_new = request.end - request.first > 1;
    if (evidence_ != nullptr) {
        evidence_->note_request(
            simulated_.state(), request.size, stream, request.region, is_new);
        evidence_->region_came(request.region);
    }
    simulated_.alloc(
        request.allocation, request.size, stream, pools_[index_of(request.region)]);
    note_peak(request);
}

void ExactReplay::note_peak(const Request& request) {
    if (request.end - request.first > 1) {
        const MemoryStats now = simulated_.state().counters.stats();
        if (now.reserved_bytes.all.current > peak_.reserved_bytes.all.current) {
            peak_ = now;
        }
    }
}

void ExactReplay::release(const Request& request) {
    if (request.kind == Kind::kEmptyCache) {
        ++simulated_.state().counters.num_sync_all_streams;
    }
    for (std::size_t i = request.first; i < request.end && !departure_; ++i) {
        release_one(snapshot_.events[i]);
        const Region& region = recorded_.history.regions[index_of(recorded_.history.region_of[i])];
        if (evidence_ != nullptr && !region.is_expandable) {
            evidence_->region_went(recorded_.history.region_of[i]);
        }
    }
}

// The free block that holds the memory, given back as the rules would.
void ExactReplay::release_one(const SnapshotEvent& event) {
    allocator::State& state = simulated_.state();
    for (std::uint32_t i = 0; i < state.blocks.places(); ++i) {
        const Block& block = state.blocks[BlockId{i}];
        if (block.in_arena && block.mapped && !block.is_active() &&
            block.address <= event.address && event.address < block.end()) {
            allocator::release_block(state, BlockId{i});
            return;
        }
    }
}

Kind ExactReplay::kind_of_release(const Request& request) const {
    return Kind::kRelease;
}

void ExactReplay::infer_flush(std::size_t) {}

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
        depart(next_, "no more events", describe(event, recorded_.streams), "");
        return;
    }
    const SnapshotEvent& expected = snapshot_.events[next_];
    if (!is_same(expected, event, recorded_.streams)) {
        depart(next_,
               describe(expected),
               describe(event, recorded_.streams),
               reason_for(expected, event));
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

std::string ExactReplay::reason_for(const SnapshotEvent&, const TraceEvent&) const {
    return "";
}

void ExactReplay::expect_done(std::size_t end) {
    skip_unreplayed();
    if (next_ < end && !departure_) {
        depart(next_, describe(snapshot_.events[next_]), "nothing", "");
    }
}

void ExactReplay::compare_end() {
    const std::vector<SegmentInfo> got = allocator::snapshot(simulated_.state());
    if (const auto difference = segment_difference(snapshot_, got, recorded_.streams)) {
        depart(snapshot_.events.size(), difference->first, difference->second, "");
    }
}

void ExactReplay::add_checkpoint(const std::string& name) {
    ledger_.checkpoints.push_back(
        {.name = name, .stats = simulated_.state().counters.stats()});
}

std::vector<Request> ExactReplay::requests() const {
    return requests_;
}

}  // namespace highwater
