// Of recorded histories: where memory is at the moments that matter, and what would have saved
// some.
#include "sim/snapshot/why/history_why.hpp"

#include <algorithm>

#include "sim/snapshot/read_snapshot.hpp"
#include "sim/snapshot/why/history_advice.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

struct Recorded {
    Snapshot snapshot;
    Replay replayed;

    explicit Recorded(const std::string& name)
        : snapshot(read_snapshot(HIGHWATER_SOURCE_DIR "/tests/recorded/" + name, {}, {})),
          replayed(replay(snapshot)) {}
};

Bytes sum(const Why& why, Bytes PoolWhy::*figure) {
    Bytes total;
    for (const PoolWhy& pool : why.pools) {
        total += pool.*figure;
    }
    return total;
}

const OwnerRow* owner(const Why& why, std::string_view name) {
    const auto found = std::ranges::find(why.owners, name, &OwnerRow::owner);
    return found == why.owners.end() ? nullptr : &*found;
}

ReservedOutcome reserved(const Ledger& ledger) {
    return {Bytes{ledger.result.reserved_bytes.all.peak},
            Bytes{ledger.result.reserved_bytes.all.current}};
}

HistoryWhy why_of(const Recorded& recorded, const Changes& changes) {
    return history_why(recorded.snapshot,
                       recorded.replayed,
                       changes,
                       what_if(recorded.snapshot, recorded.replayed, changes));
}

HistoryAdvice advice_of(const Recorded& recorded, const Changes& changes) {
    return history_advice(recorded.snapshot,
                          recorded.replayed,
                          changes,
                          what_if(recorded.snapshot, recorded.replayed, changes));
}

}  // namespace

TEST_CASE("why at the end is of what the file has at its end", "[why][recorded]") {
    const auto* name = GENERATE("snapshots/small.pickle", "models/train.jsonl.gz");
    const Recorded recorded(name);
    const HistoryWhy found = why_of(recorded, {});
    const MemoryStats& end = recorded.replayed.ledger.result;
    CHECK(sum(found.end, &PoolWhy::reserved).count == end.reserved_bytes.all.current);
    CHECK(sum(found.end, &PoolWhy::allocated).count == end.allocated_bytes.all.current);
    CHECK(!found.end.request);
}

TEST_CASE("why at the peak is of the moment before the request that led to it", "[why][recorded]") {
    const Recorded recorded("snapshots/small.pickle");
    const HistoryWhy found = why_of(recorded, {});
    REQUIRE(found.peak_event);
    const SnapshotEvent& asked = recorded.snapshot.events.at(*found.peak_event);
    CHECK(asked.action == SnapshotEvent::Action::kAlloc);
    REQUIRE(found.peak.request);
    CHECK(found.peak.request->requested == asked.size);
    const Bytes before = sum(found.peak, &PoolWhy::reserved);
    const SnapshotEvent& taken = recorded.snapshot.events.at(*found.peak_event - 1);
    REQUIRE(taken.action == SnapshotEvent::Action::kSegmentAlloc);
    CHECK((before + taken.size).count == recorded.replayed.ledger.result.reserved_bytes.all.peak);
    CHECK(found.peak.request->stranded.total() == before - sum(found.peak, &PoolWhy::allocated));
}

TEST_CASE("owners of a history are frames of the user's", "[why][recorded]") {
    const Recorded recorded("snapshots/small.pickle");
    const HistoryWhy found = why_of(recorded, {});
    // The workspace of cuBLAS, and the last of three tensors, of 40 MiB.
    REQUIRE(owner(found.end, "attn_in (models.py:71)") != nullptr);
    CHECK(owner(found.end, "attn_in (models.py:71)")->allocated == Bytes{33'554'432});
    const OwnerRow* before = owner(found.peak, "snapshot_pickle (models.py:381)");
    const OwnerRow* after = owner(found.end, "snapshot_pickle (models.py:381)");
    REQUIRE(before != nullptr);
    REQUIRE(after != nullptr);
    CHECK(after->allocated == before->allocated + Bytes{std::uint64_t{40} << 20U});
    // What lived before the recording began has no stack.
    CHECK(owner(found.end, kOwnerBefore) != nullptr);
    CHECK(owner(found.end, kOwnerWithoutStack) == nullptr);
}

TEST_CASE("every advice of a history is a what-if, with its figures", "[advise][recorded]") {
    const Recorded recorded("models/moe-perlayer.jsonl.gz");
    const HistoryAdvice advice = advice_of(recorded, {});
    REQUIRE(!advice.each.empty());
    CHECK(advice.each.front().remedy.shares_side_stream);
    const ReservedOutcome before = reserved(recorded.replayed.ledger);
    std::vector<Advice> all = advice.each;
    REQUIRE(advice.together);
    all.push_back(*advice.together);
    for (const Advice& each : all) {
        INFO(each.remedy.text);
        const WhatIf again =
            what_if(recorded.snapshot, recorded.replayed, with_remedy({}, each.remedy));
        CHECK(reserved(again.ledger) == each.outcome);
        CHECK(before.peak.count - each.outcome.peak.count ==
              static_cast<std::uint64_t>(each.saved_at_peak));
    }
    CHECK(advice.together->saved_at_peak >= advice.each.front().saved_at_peak);
}

TEST_CASE("advice comes beside what is changed already", "[advise][recorded]") {
    const Recorded recorded("models/moe-perlayer.jsonl.gz");
    Changes changes;
    changes.map_streams = "side=one";
    changes.conf = "max_split_size_mb:100";
    const HistoryAdvice advice = advice_of(recorded, changes);
    const WhatIf base = what_if(recorded.snapshot, recorded.replayed, changes);
    REQUIRE(!advice.each.empty());
    for (const Advice& each : advice.each) {
        CHECK(!each.remedy.shares_side_stream);
        CHECK(static_cast<std::int64_t>(reserved(base.ledger).peak.count) -
                  static_cast<std::int64_t>(each.outcome.peak.count) ==
              each.saved_at_peak);
    }
}

TEST_CASE("with a capacity only what fits into it is advice", "[advise][recorded]") {
    const Recorded recorded("models/moe-perlayer.jsonl.gz");
    Changes changes;
    changes.capacity = Bytes{std::uint64_t{3500} << 20U};
    const HistoryAdvice advice = advice_of(recorded, changes);
    REQUIRE(!advice.each.empty());
    for (const Advice& each : advice.each) {
        CHECK(each.outcome.peak <= *changes.capacity);
    }
}

TEST_CASE("where a recording ran out of memory, why tells what the request found",
          "[why][recorded]") {
    const Recorded recorded("snapshots/oom.pickle");
    const HistoryWhy found = why_of(recorded, {});
    REQUIRE(found.out_of_memory);
    const SnapshotEvent failed = recorded.snapshot.events.at(found.out_of_memory->event);
    CHECK(failed.action == SnapshotEvent::Action::kOom);
    REQUIRE(found.out_of_memory->why.request);
    CHECK(found.out_of_memory->why.request->requested == failed.size);
    CHECK(found.out_of_memory->why.request->stranded.usable == Bytes{});
}

TEST_CASE("where a what-if runs out of memory, why tells of the request that failed",
          "[why][recorded]") {
    const Recorded recorded("models/train.jsonl.gz");
    Changes changes;
    changes.capacity = Bytes{std::uint64_t{1} << 30U};
    const HistoryWhy found = why_of(recorded, changes);
    const WhatIf failed = what_if(recorded.snapshot, recorded.replayed, changes);
    REQUIRE(failed.ledger.failure);
    REQUIRE(found.out_of_memory);
    CHECK(found.out_of_memory->event == failed.ledger.failure->op);
    CHECK(found.out_of_memory->why.request->requested ==
          recorded.snapshot.events.at(failed.ledger.failure->op).size);
}

TEST_CASE("frees that wait for other streams are not told to wait for a capture",
          "[why][recorded]") {
    const Recorded recorded("snapshots/recordstream_pending.pickle");
    const HistoryWhy found = why_of(recorded, {});
    CHECK(sum(found.end, &PoolWhy::parked) == Bytes{});
    CHECK(sum(found.end, &PoolWhy::waiting) > Bytes{});
}

TEST_CASE("advice beside a capacity is measured against what fits it", "[advise][recorded]") {
    const Recorded recorded("models/train.jsonl.gz");
    Changes changes;
    changes.capacity = Bytes{std::uint64_t{4400} << 20U};
    const WhatIf base = what_if(recorded.snapshot, recorded.replayed, changes);
    REQUIRE(!base.ledger.failure);
    const HistoryAdvice advice = advice_of(recorded, changes);
    CHECK(advice.fits);
    for (const Advice& each : advice.each) {
        CHECK(static_cast<std::int64_t>(reserved(base.ledger).peak.count -
                                        each.outcome.peak.count) == each.saved_at_peak);
    }
}

}  // namespace highwater
