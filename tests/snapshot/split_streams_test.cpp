// Streams that are split, beside what was measured of the same programs with a stream of their own
// for each layer (H200, PyTorch 2.11).
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "sim/snapshot/replayed_snapshot.hpp"
#include "sim/snapshot/stream_map.hpp"
#include "sim/snapshot/what_if.hpp"
#include "tests/snapshot/histories.hpp"
#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
using Kind = Request::Kind;

struct SplitHistory {
    explicit SplitHistory(Snapshot file)
        : snapshot(std::move(file)),
          replayed(replay(snapshot)),
          captures(captures_found(replayed.recorded)) {}

    StreamMap map(const std::string& text) const {
        return stream_map(text, snapshot, replayed.recorded, captures, "--map-streams");
    }
    WhatIf asked(const std::string& map_streams, std::optional<std::string> conf = {}) const {
        Changes changes;
        changes.map_streams = map_streams;
        changes.conf = std::move(conf);
        return what_if(snapshot, replayed, changes);
    }
    std::string error(const std::string& text) const {
        try {
            map(text);
        } catch (const InputError& error) {
            return error.what();
        }
        return {};
    }

    Snapshot snapshot;
    Replay replayed;
    std::vector<FoundCapture> captures;
};

// Where the allocations of one recorded stream go, in their order.
std::vector<std::uint32_t> streams_of(const SplitHistory& history,
                                      const StreamMap& map,
                                      const std::string& stream) {
    const RecordedHistory& recorded = history.replayed.recorded;
    const StreamId from = recorded.streams.find(stream).value();
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < recorded.requests.size(); ++i) {
        if (recorded.requests[i].kind == Kind::kAlloc &&
            recorded.streams.id_of(recorded.requests[i].stream) == from) {
            result.push_back(static_cast<std::uint32_t>(map.of_request[i]));
        }
    }
    return result;
}

// Allocations of 2 MiB on these streams, by number; nothing is freed.
Snapshot visits(const std::vector<std::uint64_t>& streams) {
    Snapshot snapshot;
    std::uint64_t address = 0x10000000;
    for (const std::uint64_t stream : streams) {
        using histories::Action;
        constexpr Bytes kSize{std::uint64_t{20} << 20U};
        SnapshotSegment segment = histories::free_segment(address, kSize, stream);
        segment.blocks.front().state = BlockState::kActiveAllocated;
        segment.blocks.front().requested = kSize;
        snapshot.segments.push_back(segment);
        snapshot.events.push_back(histories::event(Action::kSegmentAlloc, address, kSize, stream));
        snapshot.events.push_back(histories::event(Action::kAlloc, address, kSize, stream));
        address += 0x10000000;
    }
    return snapshot;
}

// A decoder of some layers with a side stream that all of them share, and the same one with a
// stream for each.
struct Measured {
    std::string folder;
    std::string shared;
    std::string per_layer;
    std::string map_streams;
    // Runs that come out to the byte, and that grow from their start by the byte.
    std::size_t exact;
    std::size_t growth_exact;
};

std::vector<json> runs_of(const Measured& measured) {
    std::ifstream file(histories::kFolder + measured.folder + "/measured.jsonl");
    std::vector<json> runs;
    for (std::string line; std::getline(file, line);) {
        json row = json::parse(line);
        if (row["from"] == measured.folder + "/" + measured.per_layer &&
            !row["asked"].contains("map_streams")) {
            runs.push_back(std::move(row));
        }
    }
    return runs;
}

}  // namespace

TEST_CASE("a side stream for each layer reserves what it did when measured so",
          "[what_if][measured]") {
    const Measured measured =
        GENERATE(Measured{"from_start", "moesh4", "moepl4", "s2=turns:7", 7, 0},
                 Measured{"fresh", "moesh2", "moepl2", "s2=turns:9", 6, 5},
                 Measured{"pairs", "moesh", "moepl", "s2=turns:12", 7, 9});
    const SplitHistory history(histories::read(measured.folder + "/" + measured.shared));
    std::size_t exact = 0;
    std::size_t growth_exact = 0;
    const std::vector<json> runs = runs_of(measured);
    for (const json& run : runs) {
        const WhatIf asked =
            history.asked(measured.map_streams, run["asked"]["conf"].get<std::string>());
        const auto& reserved = asked.ledger.result.reserved_bytes.all;
        const std::uint64_t start =
            asked.ledger.checkpoints.front().stats.reserved_bytes.all.current;
        const auto end = run["after"]["reserved"].get<std::uint64_t>();
        const auto peak = run["after"]["peak_reserved"].get<std::uint64_t>();
        const auto before = run["before"]["reserved"].get<std::uint64_t>();
        if (reserved.current == end && reserved.peak == peak) {
            ++exact;
        } else if (reserved.current - start == end - before &&
                   reserved.peak - start == peak - before) {
            ++growth_exact;
        }
    }
    INFO(measured.shared);
    CHECK(exact == measured.exact);
    CHECK(growth_exact == measured.growth_exact);
    CHECK(exact + growth_exact == runs.size());
}

TEST_CASE("streams that take turns are turned to whenever the program comes back", "[streams]") {
    const SplitHistory history(visits({1, 7, 7, 1, 7, 1, 7, 7, 7, 0, 7}));
    using Numbers = std::vector<std::uint32_t>;
    // 0 is the default stream, 1 and 2 are recorded.
    CHECK(streams_of(history, history.map("s2=turns:2"), "s2") == Numbers{2, 2, 3, 2, 2, 2, 3});
    CHECK(streams_of(history, history.map("s2=turns:3"), "s2") == Numbers{2, 2, 3, 4, 4, 4, 2});
    CHECK(streams_of(history, history.map("s2=turns:3"), "s1") == Numbers{1, 1, 1});
    CHECK(streams_of(history, history.map("s2=turns:2,s2=own"), "s2") == Numbers(7, 2));
    const StreamMap map = history.map("s1-s2=turns:2");
    CHECK(streams_of(history, map, "s1") == Numbers{1, 3, 1});
    CHECK(streams_of(history, map, "s2") == Numbers{2, 2, 4, 2, 2, 2, 4});
    CHECK(map.added.at(1).name == "s2.2");
    CHECK(map.workspaces.empty());
}

TEST_CASE("streams may become one that no recorded one is", "[streams]") {
    const SplitHistory history(visits({1, 7, 1, 7}));
    const StreamMap map = history.map("s1-s2=new");
    CHECK(streams_of(history, map, "s1") == std::vector<std::uint32_t>{3, 3});
    CHECK(streams_of(history, map, "s2") == std::vector<std::uint32_t>{3, 3});
    CHECK(map.at_start == std::vector{StreamId{0}, StreamId{3}, StreamId{3}});
}

TEST_CASE("a stream for each capture holds what that capture allocates", "[streams][captures]") {
    const SplitHistory history(histories::read("pairs/capasc"));
    const StreamMap map = history.map("all=per-capture");
    const RecordedHistory& recorded = history.replayed.recorded;
    std::map<StreamId, std::set<std::size_t>> captures_of;
    for (std::size_t i = 0; i < recorded.requests.size(); ++i) {
        if (recorded.requests[i].kind != Kind::kAlloc) {
            continue;
        }
        const auto in = std::ranges::find_if(
            history.captures, [i](const FoundCapture& c) { return c.first <= i && i < c.end; });
        const auto number = static_cast<std::size_t>(in - history.captures.begin());
        const bool is_added = index_of(map.of_request[i]) >= recorded.streams.size();
        CHECK(is_added == (in != history.captures.end()));
        captures_of[map.of_request[i]].insert(number);
    }
    for (std::size_t i = 0; i < map.added.size(); ++i) {
        const StreamId added{static_cast<std::uint32_t>(recorded.streams.size() + i)};
        CHECK(captures_of[added] == std::set{map.added[i].capture.value()});
    }
    CHECK(map.added.size() >= history.captures.size());
}

TEST_CASE("captures on streams of their own reuse nothing of each other", "[what_if][captures]") {
    const SplitHistory history(histories::read("pairs/capasc"));
    const WhatIf same = history.asked("");
    const WhatIf split = history.asked("all=per-capture");
    CHECK(!split.ledger.failure);
    Bytes workspaces;
    for (const AddedWorkspace& each : history.map("all=per-capture").workspaces) {
        workspaces += each.size;
    }
    CHECK(split.ledger.result.requested_bytes.all.current ==
          same.ledger.result.requested_bytes.all.current + workspaces.count);
    CHECK(split.ledger.result.reserved_bytes.all.current >
          same.ledger.result.reserved_bytes.all.current + workspaces.count);
}

TEST_CASE("a history with streams split off is a snapshot that replays exactly",
          "[what_if][replayed_snapshot]") {
    const SplitHistory history(histories::read("from_start/moesh4"));
    Changes changes;
    changes.map_streams = "s2=turns:7";
    const Snapshot written = replayed_snapshot(history.snapshot, history.replayed, changes);
    CHECK(HistoryStreams(written).size() == HistoryStreams(history.snapshot).size() + 6);
    CHECK(!replay(written).departure);
}

TEST_CASE("what was allocated under a frame can be sent elsewhere", "[streams]") {
    const SplitHistory history(read_bytes(recorded_snapshot("small.pickle")));
    const RecordedHistory& recorded = history.replayed.recorded;
    const std::string text = GENERATE("attn_in", "models.py:70");
    const StreamMap map = history.map("all@" + text + "=new");
    std::size_t moved = 0;
    for (std::size_t i = 0; i < recorded.requests.size(); ++i) {
        const Request request = recorded.requests[i];
        if (request.kind != Kind::kAlloc) {
            continue;
        }
        const StackTable& stacks = history.snapshot.stacks;
        const StackId stack = history.snapshot.events[request.end - 1].stack;
        const bool has_frame = std::ranges::any_of(stacks.frames(stack), [&](FrameId id) {
            const StackFrame& frame = stacks.frame(id);
            return frame.function == text || (frame.line == 70 && text == "models.py:70");
        });
        CHECK(has_frame == (index_of(map.of_request[i]) == recorded.streams.size()));
        moved += has_frame ? 1U : 0U;
    }
    CHECK(moved > 0);
    CHECK(map.added.at(0).name == "all@" + text);
    CHECK(history.asked("all@" + text + "=new").notices.size() > history.asked("").notices.size());
}

TEST_CASE("splits that say nothing are refused", "[streams]") {
    const SplitHistory history(visits({1, 7, 1}));
    CHECK_THAT(history.error("s1=turns:1"), ContainsSubstring("`1` is no number of streams"));
    CHECK_THAT(history.error("s1=turns:x"), ContainsSubstring("no number of streams"));
    CHECK_THAT(history.error("s1=turns:"), ContainsSubstring("no number of streams"));
    CHECK_THAT(history.error("s1=turns:2000"), ContainsSubstring("give 2 to 1000"));
    CHECK_THAT(history.error("s1=per-capture"), ContainsSubstring("shows no captures"));
    CHECK_THAT(history.error("s1@gather=new"), ContainsSubstring("nothing that `s1@gather` finds"));
    CHECK_THAT(history.error("s9=turns:2"), ContainsSubstring("no stream `s9`"));
}

}  // namespace highwater
