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

}  // namespace

ExactReplay::ExactReplay(const Snapshot& snapshot,
                         const RecordedHistory& recorded,
                         const std::vector<PoolId>& pools)
    : snapshot_(snapshot),
      recorded_(recorded),
      pools_(pools),
      memory_(gains_of(snapshot, recorded.history.first_event)),
      simulated_(recorded.settings, kTotalMemory, memory_, recorded.streams.handles()),
      requests_(recorded.requests),
      next_(recorded.history.first_event) {
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
        if (requests_[i].kind == Kind::kRelease) {
            gather_evidence(i);
            requests_[i].kind = kind_of_release(i);
        }
        infer_flush(i);
        if (change_ && requests_[i].end > change_->event) {
            simulated_.state().settings = change_->settings;
            change_.reset();
        }
        step(requests_[i]);
        ledger_.note(simulated_);
        expect_done(requests_[i].end);
    }
    skip_unreplayed();
    if (!departure_) {
        compare_end();
    }
    ledger_.end(simulated_, pool_names(pools_));
}

void ExactReplay::step(Request& request) {
    try {
        switch (request.kind) {
            case Kind::kAlloc:
                alloc(request);
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

// Of an allocation that may set a pool back: the rules do the same with it.
bool ExactReplay::follows_rules(const Request& request) const {
    const BlockId block = simulated_.candidate(
        request.size, recorded_.streams.id_of(request.stream), pools_[index_of(request.region)]);
    if (block == kNoBlock) {
        return false;
    }
    const Block& found = simulated_.state().blocks[block];
    const Bytes rest = found.size - request.size;
    return found.address == snapshot_.events[request.end - 1].address &&
           (uses_small_pool(request.size) || rest == Bytes{0} || rest > kSmallSize);
}

void ExactReplay::alloc(Request& request) {
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
    request.is_restored = request.is_restored && !follows_rules(request);
    if (!request.is_restored || !simulated_.restore(request.allocation, request.size, address)) {
        simulated_.alloc(request.allocation, request.size, stream, pool);
    }
}

// What was free behind a block of the start is smaller if that block is larger.
std::optional<ExactReplay::Growth> ExactReplay::growth_before(const Block& free, Bytes by) const {
    if (free.prev == kNoBlock) {
        return std::nullopt;
    }
    const Block& before = simulated_.state().blocks[free.prev];
    const auto slack = slack_.find(before.address);
    return slack != slack_.end() && before.is_active() && by <= slack->second
               ? std::optional(Growth{before.address, by})
               : std::nullopt;
}

// The block that the rules would take must be too small, or the one that was taken less.
void ExactReplay::explain_by_growth(const Request& request) {
    const allocator::State& state = simulated_.state();
    const Address expected = snapshot_.events[request.end - 1].address;
    const BlockId taken = simulated_.candidate(
        request.size, recorded_.streams.id_of(request.stream), pools_[index_of(request.region)]);
    if (taken == kNoBlock || state.blocks[taken].address == expected) {
        return;
    }
    const Block& wrong = state.blocks[taken];
    const Bytes rounded = round_size(state.settings, request.size);
    growth_ = growth_before(wrong, wrong.size - rounded + kMinBlockSize);
    const BlockId right =
        request.end - request.first > 1 ? kNoBlock : simulated_.free_block_around(expected);
    if (!growth_ && right != kNoBlock && state.blocks[right].size >= wrong.size) {
        growth_ = growth_before(state.blocks[right],
                                state.blocks[right].size - wrong.size + kMinBlockSize);
    }
}

void ExactReplay::release(const Request& request) {
    if (request.kind == Kind::kEmptyCache) {
        ++simulated_.state().counters.num_sync_all_streams;
    }
    for (std::size_t i = request.first; i < request.end && !departure_; ++i) {
        release_one(snapshot_.events[i]);
        if (evidence_ != nullptr) {
            evidence_->region_shrank(recorded_.history.region_of[i], snapshot_.events[i].size);
        }
    }
}

// The free block that holds the memory, given back as the rules would.
void ExactReplay::release_one(const SnapshotEvent& event) {
    if (const BlockId block = simulated_.free_block_around(event.address); block != kNoBlock) {
        allocator::release_block(simulated_.state(), block);
    }
}

Kind ExactReplay::kind_of_release(std::size_t index) const {
    const Request& request = requests_[index];
    const bool before_alloc =
        index + 1 < requests_.size() && requests_[index + 1].kind == Kind::kAlloc;
    if (before_alloc && is_of_alloc(request, requests_[index + 1])) {
        return Kind::kRelease;
    }
    std::set<Address> kept;
    for (const auto pool : {allocator::kDefaultSmallPool, allocator::kDefaultLargePool}) {
        std::ranges::copy(allocator::releasable(simulated_.state(), pool),
                          std::inserter(kept, kept.end()));
    }
    const std::size_t releasable = kept.size();
    bool from_default = false;
    for (std::size_t i = request.first; i < request.end; ++i) {
        kept.erase(snapshot_.events[i].address);
        from_default |= pools_[index_of(recorded_.history.region_of[i])] == kDefaultPoolId;
    }
    if (kept.empty()) {
        return Kind::kEmptyCache;
    }
    return from_default || kept.size() < releasable ? Kind::kRelease : Kind::kReleasePools;
}

void ExactReplay::gather_evidence(std::size_t index) {
    const bool makes_room = index + 1 < requests_.size() &&
                            (requests_[index + 1].kind == Kind::kOutOfMemory ||
                             (requests_[index + 1].kind == Kind::kAlloc &&
                              requests_[index + 1].end - requests_[index + 1].first > 1));
    if (evidence_ == nullptr || makes_room) {
        return;
    }
    std::set<Address> released;
    for (std::size_t i = requests_[index].first; i < requests_[index].end; ++i) {
        released.insert(snapshot_.events[i].address);
    }
    evidence_->note_release(simulated_, released);
}

// Out of memory, or garbage collected: the allocation gathered the stack once.
bool ExactReplay::is_of_alloc(const Request& release, const Request& alloc) const {
    const StackId stack = snapshot_.events[release.first].stack;
    return stack != kNoStack && stack == snapshot_.events[alloc.end - 1].stack;
}

bool ExactReplay::is_default(const Request& request) const {
    return request.region != kNoRegion && pools_[index_of(request.region)] == kDefaultPoolId;
}

// The random generator's state, which the first graph allocates between empty_cache and capture.
bool ExactReplay::is_generator_state(std::size_t index, StreamHandle stream) const {
    constexpr Bytes kState{8};
    const Request& request = requests_[index];
    return request.kind == Kind::kAlloc && request.size == kState && request.stream == stream &&
           is_default(request);
}

bool ExactReplay::has_releasable() const {
    const allocator::State& state = simulated_.state();
    return !allocator::releasable(state, allocator::kDefaultSmallPool).empty() ||
           !allocator::releasable(state, allocator::kDefaultLargePool).empty();
}

// torch.cuda.graph empties the cache on entry (around-allocator 3.6). Where that gave nothing back
// no event tells of it; so a private pool's first use since the default pools changed is taken to
// be a capture's, unless something was left to give back.
void ExactReplay::infer_flush(std::size_t index) {
    const Request& request = requests_[index];
    if (request.kind == Kind::kEmptyCache) {
        changed_since_flush_ = false;
        return;
    }
    if (is_default(request)) {
        changed_since_flush_ = true;
        return;
    }
    if (request.kind != Kind::kAlloc || request.stream == StreamHandle{0} ||
        !changed_since_flush_) {
        return;
    }
    if (!has_releasable()) {
        std::size_t before = index;
        while (before > 0 && index - before < 2 && is_generator_state(before - 1, request.stream)) {
            --before;
        }
        flushes_.push_back(before);
    }
    changed_since_flush_ = false;
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

std::vector<Request> ExactReplay::requests() const {
    std::vector<Request> all;
    auto flush = flushes_.begin();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        for (; flush != flushes_.end() && *flush == i; ++flush) {
            Request inferred;
            inferred.kind = Kind::kEmptyCache;
            inferred.is_inferred = true;
            inferred.first = inferred.end = requests_[i].first;
            all.push_back(inferred);
        }
        all.push_back(requests_[i]);
    }
    return all;
}

}  // namespace highwater
