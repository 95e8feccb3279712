// What a replay finds out on its way: what releases were, where the cache was emptied to no effect,
// which blocks must have been larger.
#include <algorithm>
#include <set>

#include "sim/allocator/rounding.hpp"
#include "sim/snapshot/exact_replay.hpp"

namespace highwater {

using Kind = Request::Kind;

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

Kind ExactReplay::kind_of_release(std::size_t index) const {
    const Request request = requests_[index];
    const bool before_alloc =
        index + 1 < requests_.size() && requests_[index + 1].kind == Kind::kAlloc;
    if (before_alloc && is_of_alloc(request, requests_[index + 1])) {
        return Kind::kRelease;
    }
    const std::vector<Address> free = simulated_.releasable(kDefaultPoolId);
    std::set<Address> kept(free.begin(), free.end());
    const std::size_t releasable = kept.size();
    bool from_default = false;
    for (std::size_t i = request.first; i < request.end; ++i) {
        kept.erase(snapshot_.events[i].address);
        from_default |= pools_[index_of(recorded_.history.region_of(i))] == kDefaultPoolId;
    }
    if (kept.empty()) {
        return Kind::kEmptyCache;
    }
    return from_default || kept.size() < releasable ? Kind::kRelease : Kind::kReleasePools;
}

// An allocation for which the cache was emptied took new memory, though a block fits that came back
// as the allocator waited for all frees then: it does not search again (allocator specification
// 4.3e).
bool ExactReplay::missed_block(std::size_t index) const {
    const Request request = requests_[index];
    if (index < 2 || request.kind != Kind::kAlloc || request.end - request.first < 2 ||
        requests_[index - 1].kind != Kind::kRelease) {
        return false;
    }
    const BlockId fits = simulated_.candidate(
        request.size, recorded_.streams.id_of(request.stream), pools_[index_of(request.region)]);
    if (fits == kNoBlock) {
        return false;
    }
    const Block& block = simulated_.state().blocks[fits];
    for (std::size_t i = index - 1; i-- > 0;) {
        const Request before = requests_[i];
        if (before.kind != Kind::kCompleteFree && (before.kind != Kind::kFree || before.waits)) {
            break;
        }
        const Address address = snapshot_.events[before.first].address;
        if (block.address <= address && address < block.end()) {
            return true;
        }
    }
    return false;
}

// What looked like an emptied cache before it was the allocator's own doing.
void ExactReplay::note_retry(std::size_t index) {
    const bool was_taken_for_emptied = found_kinds_.erase(index - 1) > 0;
    Counters& counters = simulated_.state().counters;
    counters.num_sync_all_streams += was_taken_for_emptied ? 0U : 1U;
    ++counters.num_alloc_retries;
    changed_since_flush_ = true;
}

bool ExactReplay::makes_room_for_next(std::size_t index) const {
    if (index + 1 == requests_.size()) {
        return false;
    }
    const Request next = requests_[index + 1];
    return next.kind == Kind::kOutOfMemory ||
           (next.kind == Kind::kAlloc && next.end - next.first > 1);
}

void ExactReplay::gather_evidence(std::size_t index) {
    if (evidence_ == nullptr || makes_room_for_next(index)) {
        return;
    }
    const Request release = requests_[index];
    std::set<Address> released;
    for (std::size_t i = release.first; i < release.end; ++i) {
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
    const Request request = requests_[index];
    return request.kind == Kind::kAlloc && request.size == kState && request.stream == stream &&
           is_default(request);
}

bool ExactReplay::has_releasable() const {
    return !simulated_.releasable(kDefaultPoolId).empty();
}

// torch.cuda.graph empties the cache on entry (around-allocator 3.6). Where that gave nothing back
// no event tells of it; so a private pool's first use since the default pools changed is taken to
// be a capture's, unless something was left to give back.
void ExactReplay::infer_flush(std::size_t index, const Request& request) {
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

RequestList ExactReplay::requests() const {
    if (flushes_.empty() && found_kinds_.empty() && ordinary_.empty()) {
        return requests_;
    }
    RequestList all;
    auto found = found_kinds_.begin();
    auto ordinary = ordinary_.begin();
    auto flush = flushes_.begin();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        for (; flush != flushes_.end() && *flush == i; ++flush) {
            Request inferred;
            inferred.kind = Kind::kEmptyCache;
            inferred.is_inferred = true;
            inferred.first = inferred.end = requests_[i].first;
            all.push_back(inferred);
        }
        Request request = requests_[i];
        if (found != found_kinds_.end() && found->first == i) {
            request.kind = (found++)->second;
        }
        if (ordinary != ordinary_.end() && *ordinary == i) {
            request.is_restored = false;
            ++ordinary;
        }
        all.push_back(request);
    }
    return all;
}

}  // namespace highwater
