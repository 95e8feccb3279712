// What grew and what shrank between two moments.
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/report/diff/memory_diff.hpp"
#include "sim/report/run_json.hpp"
#include "tests/report/sample_run.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamHandle kSide{0x100};

SnapshotSegment segment(PoolId pool, StreamHandle stream, Bytes size, Bytes allocated, StackId of) {
    SnapshotSegment made;
    made.size = size;
    made.stream = stream;
    made.pool = pool;
    made.stack = of;
    made.blocks.push_back({Address{0}, allocated, allocated, BlockState::kActiveAllocated, of});
    if (allocated < size) {
        made.blocks.push_back(
            {Address{0} + allocated, size - allocated, {}, BlockState::kInactive, kNoStack});
    }
    return made;
}

StackId stack(Snapshot& of, const std::string& function) {
    return of.stacks.add_stack({of.stacks.add_frame({"torch::empty", "??", 0}),
                                of.stacks.add_frame({function, "model.py", 1})});
}

std::vector<std::string> names(const std::vector<PartChange>& changes) {
    std::vector<std::string> result;
    for (const PartChange& change : changes) {
        result.push_back(change.name);
    }
    return result;
}

}  // namespace

TEST_CASE("a snapshot does not differ from itself", "[diff]") {
    Snapshot snapshot;
    const StackId one = stack(snapshot, "one");
    snapshot.segments = {segment({}, {}, 20_MiB, 3_MiB, one),
                         segment({0, 1}, kSide, 40_MiB, 40_MiB, one)};
    const MemoryDiff same = diff(snapshot, snapshot);
    CHECK(same.is_same());
    CHECK(diff_tables(same) == "the same memory\n");
    CHECK(diff_json(same)["same"] == true);
}

TEST_CASE("pools, streams and owners that changed are told, most grown first", "[diff]") {
    Snapshot before;
    const StackId one = stack(before, "one");
    const StackId two = stack(before, "two");
    before.segments = {segment({}, {}, 20_MiB, 3_MiB, one),
                       segment({}, kSide, 40_MiB, 40_MiB, two),
                       segment({0, 1}, {}, 2_MiB, 1_MiB, one)};
    Snapshot after;
    // In another order: ids of stacks mean nothing from file to file.
    const StackId new_owner = stack(after, "new");
    const StackId two_again = stack(after, "two");
    const StackId one_again = stack(after, "one");
    after.segments = {segment({}, {}, 20_MiB, 4_MiB, one_again),
                      segment({}, kSide, 20_MiB, 20_MiB, two_again),
                      segment({0, 1}, {}, 2_MiB, 1_MiB, one_again),
                      segment({0, 2}, {}, 64_MiB, 50_MiB, new_owner)};
    const MemoryDiff found = diff(before, after);
    CHECK_FALSE(found.is_same());
    CHECK(names(found.pools) == std::vector<std::string>{"(0, 2)", "default"});
    CHECK(names(found.streams) == std::vector<std::string>{"default", "0x100"});
    CHECK(names(found.owners) ==
          std::vector<std::string>{"new (model.py:1)", "one (model.py:1)", "two (model.py:1)"});
    CHECK(found.owners[0].before == PartSizes{0_B, 0_B, 0});
    CHECK(found.owners[0].after == PartSizes{50_MiB, 64_MiB, 1});
    CHECK(found.total.after == PartSizes{75_MiB, 106_MiB, 4});
    CHECK(found.notices.empty());
    const auto json = diff_json(found);
    CHECK(json["pools"][1]["growth"]["reserved_bytes"] ==
          -static_cast<std::int64_t>((20_MiB).count));
    CHECK(json["owners"][0]["growth"]["segment"] == 1);
    CHECK_THAT(diff_tables(found), Catch::Matchers::ContainsSubstring("+50.0 MiB"));
}

TEST_CASE("what grew in one way of cutting balances the whole", "[diff]") {
    Snapshot before;
    before.segments = {segment({}, {}, 20_MiB, 3_MiB, stack(before, "one"))};
    Snapshot after;
    after.segments = {segment({0, 3}, kSide, 30_MiB, 7_MiB, stack(after, "two"))};
    const auto json = diff_json(diff(before, after));
    for (const char* cut : {"pools", "streams", "owners"}) {
        std::int64_t sum = 0;
        for (const auto& row : json[cut]) {
            sum += row["growth"]["reserved_bytes"].get<std::int64_t>();
        }
        CHECK(sum == json["total"]["growth"]["reserved_bytes"]);
    }
}

TEST_CASE("streams of two processes are compared by what they have reserved", "[diff]") {
    Snapshot before;
    before.segments = {segment({}, kSide, 20_MiB, 3_MiB, kNoStack),
                       segment({}, StreamHandle{0x200}, 40_MiB, 3_MiB, kNoStack)};
    Snapshot after;
    after.segments = {segment({}, StreamHandle{0x900}, 40_MiB, 3_MiB, kNoStack),
                      segment({}, StreamHandle{0x300}, 22_MiB, 3_MiB, kNoStack)};
    const MemoryDiff found = diff(before, after);
    CHECK(names(found.streams) == std::vector<std::string>{"side stream 2"});
    // Neither has stacks, both are called the same, and the streams are guessed at.
    CHECK(found.notices.size() == 2);
    CHECK(found.owners.empty());
}

TEST_CASE("the JSON of a run is read back", "[diff]") {
    const RunReport run = sample_run();
    const MemoryParts parts = parts_of_result(run_json_text(run), "run.json");
    CHECK(parts.total.reserved == Bytes{run.ledger.result.reserved_bytes.all.current});
    CHECK(parts.pools.at("graphs [0,1]").reserved == 58_MiB);
    CHECK(parts.pools.at("default").allocated == 1_MiB);
    CHECK(parts.streams.at("aux[0]").reserved == 58_MiB);
    RunReport other = run;
    other.ledger.pools[1].reserved += 2_MiB;
    other.ledger.pools[1].streams[0].reserved += 2_MiB;
    const MemoryDiff found = diff(parts, parts_of_result(run_json_text(other), "other.json"));
    CHECK(names(found.pools) == std::vector<std::string>{"graphs [0,1]"});
    CHECK(names(found.streams) == std::vector<std::string>{"aux[0]"});
}

TEST_CASE("what is no result of a run is refused", "[diff]") {
    const auto [text, problem] = GENERATE(table<std::string, std::string>({
        {"", "it is no JSON: byte 1 is not as it should be"},
        {"{\"highwater\"", "it is no JSON: byte 13 is not as it should be"},
        {"[]", "it is no result of highwater"},
        {R"({"highwater": "1", "points": []})", "it has the points of a sweep"},
        {R"({"highwater": "1"})", "it has no `result` where one should be"},
        {R"({"highwater": "1", "result": {"allocated_bytes": -1}})",
         "`allocated_bytes` is no number of 0 or more"},
        {R"({"highwater": "1", "pools": 3,
             "result": {"allocated_bytes": 1, "reserved_bytes": 1, "segment": 1}})",
         "`pools` is no list"},
        {R"({"highwater": "1", "pools": [3],
             "result": {"allocated_bytes": 1, "reserved_bytes": 1, "segment": 1}})",
         "it has no `id` where one should be"},
    }));
    try {
        parts_of_result(text, "x.json");
        FAIL("taken: " << text);
    } catch (const InputError& error) {
        CHECK(error.problem() == problem);
    }
}

}  // namespace highwater
