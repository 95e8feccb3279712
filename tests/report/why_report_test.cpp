// What a memory's owners, and advice, look like.
#include <set>

#include <nlohmann/json.hpp>

#include "sim/report/stranded_text.hpp"
#include "sim/report/why_json.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace literals;

namespace {

const WhyNames kNames{
    [](PoolId id) { return id == kDefaultPoolId ? std::string("default") : std::string("graphs"); },
    [](StreamId id) { return "s" + std::to_string(index_of(id)); }};

Why sample() {
    Why why;
    Growth request{8_MiB, StreamId{2}, {}};
    request.stranded[StrandedReason::kOtherStream] = 640_MiB;
    why.request = request;
    PoolWhy pool;
    pool.reserved = 700_MiB;
    pool.allocated = 40_MiB;
    pool.free = 652_MiB;
    pool.parked = 8_MiB;
    pool.held = 12_MiB;
    pool.owners = {{"forward (model.py:12)", 40_MiB}};
    why.pools = {pool};
    why.streams = {{{}, PoolKind::kLarge, StreamId{2}, 20_MiB, 8_MiB, 12_MiB, {}, {}}};
    why.owners = {{"forward (model.py:12)", 5, 40_MiB, 12_MiB, 1, {}, 0},
                  {"holds nothing", 1, 2_MiB, {}, 0, {}, 0}};
    return why;
}

}  // namespace

TEST_CASE("why, for people: pools, the request, and who holds what", "[why]") {
    CHECK(
        why_tables(sample(), kNames) ==
        R"(pool and its largest owners   reserved  allocated       free  waiting   parked  free, held by blocks
default                      700.0 MiB   40.0 MiB  652.0 MiB           8.0 MiB              12.0 MiB
  forward (model.py:12)                  40.0 MiB

a request of 8.0 MiB on stream s2 found nothing; what was free:
why it did not serve              bytes
it belongs to another stream  640.0 MiB

whose blocks hold free memory  blocks  allocated  held alone, in segments  held with others
forward (model.py:12)               5   40.0 MiB            12.0 MiB in 1
)");
}

TEST_CASE("why, for programs: exact bytes, with every reason", "[why]") {
    const auto json = why_json(sample(), kNames);
    CHECK(json["request"]["stranded_bytes"].size() == kStrandedReasons);
    CHECK(json["request"]["stranded_bytes"]["other_stream"] == (640_MiB).count);
    CHECK(json["pools"][0]["owners"][0]["owner"] == "forward (model.py:12)");
    CHECK(json["pools"][0]["last_growth"].is_null());
    CHECK(json["streams"][0].dump() ==
          R"({"pool":[0,0],"kind":"large","stream":"s2","reserved_bytes":20971520,)"
          R"("allocated_bytes":8388608,"free_bytes":12582912,"waiting_bytes":0,"parked_bytes":0})");
    CHECK(json["owners"][0]["held_alone_bytes"] == (12_MiB).count);
}

TEST_CASE("advice tells what each remedy would have saved, and how to ask for the best", "[why]") {
    const auto saved = [](Bytes size) { return static_cast<std::int64_t>(size.count); };
    HistoryAdvice advice;
    advice.runs = 14;
    CHECK(advice_tables(advice) == "14 what-ifs were run; none saves memory\n");
    CHECK(advice_json(advice)["together"].is_null());
    const Remedy expandable{.text = "set expandable_segments:True",
                            .conf = "expandable_segments:True"};
    advice.each = {{expandable, {90_MiB, 80_MiB}, saved(10_MiB), -saved(2_MiB)}};
    CHECK(advice_tables(advice) ==
          R"(what would have saved memory  peak reserved     saved  reserved at the end     saved
set expandable_segments:True       90.0 MiB  10.0 MiB             80.0 MiB  -2.0 MiB
14 what-ifs were run; the best again, beside the options given: --conf 'expandable_segments:True'
)");
    const auto json = advice_json(advice);
    CHECK(json["runs"] == 14);
    CHECK(json["each"][0]["saved_at_end_bytes"] == -2097152);
    CHECK(json["each"][0]["conf"] == "expandable_segments:True");
}

TEST_CASE("a remedy can be asked for with the options of replay", "[why]") {
    Remedy remedy{.text = "all", .conf = "a:1,b:[1:2,>:3]"};
    remedy.shares_side_stream = true;
    remedy.shares_pool = true;
    remedy.drops_record_stream = true;
    CHECK(replay_options(remedy) ==
          "--conf 'a:1,b:[1:2,>:3]' --map-streams side=one --pools shared --drop-record-stream");
    CHECK(replay_options({.text = "none"}).empty());
}

TEST_CASE("each reason has words of its own", "[why]") {
    StrandedBytes all;
    all.by_reason.fill(1_B);
    std::set<std::string_view> says;
    std::set<std::string_view> titles;
    for (const StrandedRow& row : stranded_rows(all)) {
        says.insert(row.says);
        titles.insert(title_of(row.reason));
    }
    CHECK(says.size() == kStrandedReasons);
    CHECK(titles.size() == kStrandedReasons);
    CHECK(stranded_rows({}).empty());
}

}  // namespace highwater
