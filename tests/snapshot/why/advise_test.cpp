// Advice is what was run.
#include "sim/snapshot/why/advise.hpp"

#include <algorithm>

#include "sim/allocator/settings.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace literals;

namespace {

std::vector<std::string> texts(const std::vector<Remedy>& remedies) {
    std::vector<std::string> result;
    for (const Remedy& remedy : remedies) {
        result.push_back(remedy.text);
    }
    return result;
}

}  // namespace

TEST_CASE("advice is sorted by what it saves, without what saves nothing", "[advise]") {
    const std::vector<Remedy> remedies{{.text = "worse"},
                                       {.text = "fails"},
                                       {.text = "some"},
                                       {.text = "same"},
                                       {.text = "most"},
                                       {.text = "end only"},
                                       {.text = "end, but a higher peak"}};
    std::vector<std::string> ran;
    const auto run = [&](const Remedy& remedy) -> std::optional<ReservedOutcome> {
        ran.push_back(remedy.text);
        if (remedy.text == "fails") {
            return std::nullopt;
        }
        if (remedy.text == "worse") {
            return ReservedOutcome{120_MiB, 80_MiB};
        }
        if (remedy.text == "some") {
            return ReservedOutcome{90_MiB, 90_MiB};
        }
        if (remedy.text == "most") {
            return ReservedOutcome{40_MiB, 40_MiB};
        }
        if (remedy.text == "end only") {
            return ReservedOutcome{100_MiB, 10_MiB};
        }
        return remedy.text == "same" ? ReservedOutcome{100_MiB, 80_MiB}
                                     : ReservedOutcome{101_MiB, 0_B};
    };
    const std::vector<Advice> all = advise({100_MiB, 80_MiB}, remedies, run);
    CHECK(ran == texts(remedies));
    std::vector<std::string> kept;
    for (const Advice& advice : all) {
        kept.push_back(advice.remedy.text);
    }
    CHECK(kept == std::vector<std::string>{"most", "some", "end only"});
    CHECK(all[1].saved_at_peak == static_cast<std::int64_t>((10_MiB).count));
    CHECK(all[1].saved_at_end == -static_cast<std::int64_t>((10_MiB).count));
}

TEST_CASE("an option takes the place of what a settings' text says about it", "[advise]") {
    CHECK(with_option("", "a", "1") == "a:1");
    CHECK(with_option("a:2", "a", "1") == "a:1");
    CHECK(with_option(" b:[1:2, >:3] , a : 2,c:3", "a", "1") == "b:[1:2, >:3],c:3,a:1");
}

TEST_CASE("remedies are those that there is something to do for", "[advise]") {
    const auto nothing = texts(possible_remedies({}));
    CHECK(std::ranges::find(nothing, "capture all graphs into one pool") == nothing.end());
    CHECK(std::ranges::find(nothing, "set expandable_segments:True") != nothing.end());
    const RemedyFacts all{.conf = "expandable_segments:True",
                          .side_streams = 2,
                          .private_pools = 2,
                          .has_waiting_frees = true};
    const auto remedies = possible_remedies(all);
    CHECK(remedies.size() == nothing.size() - 1 + 3);
    CHECK(std::ranges::count_if(remedies, &Remedy::shares_side_stream) == 1);
    CHECK(std::ranges::count_if(remedies, &Remedy::shares_pool) == 1);
    CHECK(std::ranges::count_if(remedies, &Remedy::drops_record_stream) == 1);
}

TEST_CASE("options that PyTorch refuses beside the recorded ones are no remedies", "[advise]") {
    const auto remedies = texts(possible_remedies({.conf = "max_split_size_mb:100"}));
    const auto has = [&](const char* text) {
        return std::ranges::find(remedies, text) != remedies.end();
    };
    CHECK(has("set large_segment_size_mb:64"));
    CHECK_FALSE(has("set large_segment_size_mb:256"));
}

TEST_CASE("PyTorch takes every settings' text of a remedy", "[advise]") {
    const auto* recorded = GENERATE("",
                                    "max_split_size_mb:100,garbage_collection_threshold:0.8",
                                    "roundup_power2_divisions:[256:1,512:2,>:4]");
    for (const Remedy& remedy : possible_remedies({.conf = recorded})) {
        if (remedy.conf) {
            INFO(*remedy.conf);
            CHECK_NOTHROW(parse_settings(*remedy.conf));
        }
    }
}

TEST_CASE("remedies go together unless they are about the same", "[advise]") {
    const Remedy expandable{.text = "a", .options = {{"a", "1"}}, .conf = "a:1"};
    const Remedy other_a{.text = "a2", .options = {{"a", "2"}}, .conf = "a:2"};
    const auto remedies = possible_remedies({.conf = "garbage_collection_threshold:0.5",
                                             .side_streams = 2,
                                             .private_pools = 2,
                                             .has_waiting_frees = true});
    const auto find = [&](std::string_view text) {
        return *std::ranges::find(remedies, text, &Remedy::text);
    };
    CHECK(!combined(expandable, other_a, ""));
    const Remedy stream = find("use one side stream in place of all");
    CHECK(!combined(stream, stream, ""));
    const auto both = combined(find("set max_split_size_mb:64"),
                               find("set roundup_power2_divisions:4"),
                               "garbage_collection_threshold:0.5");
    REQUIRE(both);
    CHECK(*both->conf ==
          "garbage_collection_threshold:0.5,max_split_size_mb:64,roundup_power2_divisions:4");
    const auto all = combined(*both, stream, "");
    REQUIRE(all);
    CHECK(all->shares_side_stream);
    CHECK(all->conf == both->conf);
    // PyTorch refuses a split limit below its segments.
    CHECK(!combined(find("set max_split_size_mb:64"), find("set large_segment_size_mb:256"), ""));
}

TEST_CASE("the best together takes what saves more beside the best alone", "[advise]") {
    const Remedy a{.text = "a", .shares_side_stream = true};
    const Remedy b{.text = "b", .shares_pool = true};
    const Remedy c{.text = "c", .drops_record_stream = true};
    const auto run = [](const Remedy& remedy) -> std::optional<ReservedOutcome> {
        const Bytes peak = 100_MiB - (remedy.shares_side_stream ? 40_MiB : 0_B) -
                           (remedy.drops_record_stream ? 5_MiB : 0_B) +
                           (remedy.shares_side_stream && remedy.shares_pool ? 10_MiB : 0_B);
        return ReservedOutcome{peak, peak};
    };
    const auto advice = [&](const Remedy& remedy) {
        return advise({100_MiB, 100_MiB}, {remedy}, run).at(0);
    };
    const Advice b_alone{b, {95_MiB, 95_MiB}, 1, 1};
    const std::vector<Advice> each{advice(a), b_alone, advice(c)};
    const auto together = best_together({100_MiB, 100_MiB}, each, "", run);
    REQUIRE(together);
    CHECK(together->remedy.text == "a; c");
    CHECK(together->outcome.peak == 55_MiB);
    CHECK(!best_together({100_MiB, 100_MiB}, {advice(a), b_alone}, "", run));
    CHECK(!best_together({100_MiB, 100_MiB}, {}, "", run));
}

}  // namespace highwater
