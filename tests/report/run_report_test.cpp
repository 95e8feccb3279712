#include "sim/report/run_report.hpp"

#include "tests/support/catch.hpp"

using namespace highwater;

TEST_CASE("streams that share a handle are one stream of two names", "[report]") {
    const StreamNames names = stream_names({{"default", StreamHandle{0}},
                                            {"aux[0]", StreamHandle{16}},
                                            {"aux[1]", StreamHandle{8}},
                                            {"capture", StreamHandle{16}}});
    REQUIRE(names == StreamNames{{"default"}, {"aux[0]", "capture"}, {"aux[1]"}});
}

TEST_CASE("the default stream has a name even where a Program gives it none", "[report]") {
    REQUIRE(stream_names({}) == StreamNames{{"default"}});
    REQUIRE(stream_names({{"s", StreamHandle{5}}}) == StreamNames{{"default"}, {"s"}});
}

TEST_CASE("a field reads as a scenario would write it", "[report]") {
    REQUIRE(field_text(std::int64_t{-32}) == "-32");
    REQUIRE(field_text(0.5) == "0.5");
    REQUIRE(field_text(true) == "true");
    REQUIRE(field_text(false) == "false");
    REQUIRE(field_text(std::string("per-layer")) == "per-layer");
}
