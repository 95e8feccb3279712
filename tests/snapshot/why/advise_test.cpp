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

}  // namespace highwater
