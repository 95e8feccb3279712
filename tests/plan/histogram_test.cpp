#include "sim/plan/buckets/histogram.hpp"

#include <algorithm>

#include "sim/core/error.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::plan;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t kLargest = 256;

std::string complaint_about(const std::string& text) {
    try {
        histogram_from_csv(text, "h.csv", kLargest);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::int64_t batches_up_to(const BatchHistogram& histogram, std::int64_t batch) {
    std::int64_t sum = 0;
    for (const BatchCount& each : histogram) {
        sum += each.batch <= batch ? each.count : 0;
    }
    return sum;
}

}  // namespace

TEST_CASE("a histogram is read in any order, with title, comments and blanks", "[histogram]") {
    const BatchHistogram expected{{1, 5}, {8, 20}};
    CHECK(histogram_from_csv("batch,count\n8,20\n1,5\n", "h.csv", kLargest) == expected);
    CHECK(histogram_from_csv("# made up\n\n batch , count\r\n 8 , 20\r\n1,5", "h.csv", kLargest) ==
          expected);
    CHECK(histogram_from_csv("8,20\n1,5\n2,0\n", "h.csv", kLargest) == expected);
    CHECK(batches_in(expected) == 25);
    CHECK(rows_in(expected) == 5 + 8 * 20);
}

TEST_CASE("what is wrong with a histogram is told with its line and a remedy", "[histogram]") {
    const auto [text, line, what] = GENERATE(table<std::string, std::string, std::string>({
        {"1,5\n8,-2\n", "h.csv:2: ", "count is `-2`"},
        {"1,5\n-8,2\n", "h.csv:2: ", "batch size is `-8`"},
        {"1,5\n0,2\n", "h.csv:2: ", "from 1"},
        {"1,nan\n", "h.csv:1: ", "count is `nan`"},
        {"batch,count\n1,1.5\n", "h.csv:2: ", "whole number"},
        {"1,5\n\n1,6\n", "h.csv:3: ", "comes twice, first in line 1"},
        {"1,5\n257,6\n", "h.csv:2: ", "--bucket-candidates"},
        {"1 5\n", "h.csv:1: ", "batch,count"},
        {"1,5\nbatch,count\n", "h.csv:2: ", "batch size is `batch`"},
        {"1,99999999999999999999\n", "h.csv:1: ", "to 1000000000"},
        {"1,600000000\n2,600000000\n", "h.csv:2: ", "divide all counts"},
        {"", "h.csv: ", "no batches"},
        {"batch,count\n4,0\n", "h.csv: ", "no batches"},
    }));
    CHECK_THAT(complaint_about(text), ContainsSubstring(line) && ContainsSubstring(what));
}

TEST_CASE("a named distribution deals out all of its batches", "[histogram]") {
    const auto name = GENERATE(as<std::string>(),
                               "uniform:1..256",
                               "uniform:3..7",
                               "geometric:20",
                               "geometric:1",
                               "poisson:40",
                               "poisson:0.5",
                               "lognormal:24,0.9",
                               "lognormal:1000,0.5");
    REQUIRE(is_distribution(name));
    const BatchHistogram histogram = histogram_of(name, kLargest);
    CHECK(batches_in(histogram) == kDealtBatches);
    CHECK(histogram.front().batch >= 1);
    CHECK(histogram.back().batch <= kLargest);
    CHECK(std::ranges::is_sorted(histogram, {}, &BatchCount::batch));
    CHECK(histogram == histogram_of(name, kLargest));
}

TEST_CASE("named distributions are what they are called", "[histogram]") {
    const BatchHistogram uniform = histogram_of("uniform:5..8", kLargest);
    CHECK(uniform == BatchHistogram{{5, 250'000}, {6, 250'000}, {7, 250'000}, {8, 250'000}});
    // Each batch is half as often as the one before.
    const BatchHistogram geometric = histogram_of("geometric:2", kLargest);
    CHECK(geometric.at(0) == BatchCount{1, kDealtBatches / 2});
    CHECK(geometric.at(1) == BatchCount{2, kDealtBatches / 4});
    const BatchHistogram poisson = histogram_of("poisson:40", kLargest);
    CHECK(rows_in(poisson) / kDealtBatches == 40);
    const BatchHistogram lognormal = histogram_of("lognormal:24,0.2", kLargest);
    CHECK(batches_up_to(lognormal, 23) < kDealtBatches / 2);
    CHECK(batches_up_to(lognormal, 24) > kDealtBatches / 2);
}

TEST_CASE("what is no distribution is told, with what would be one", "[histogram]") {
    CHECK_FALSE(is_distribution("batches.csv"));
    CHECK_FALSE(is_distribution("uniform"));
    const auto [text, what] = GENERATE(table<std::string, std::string>({
        {"uniform:1..1000", "from 1 to 256"},
        {"uniform:9..4", "from 9 to 256"},
        {"uniform:1", "write `uniform:"},
        {"geometric:0.5", "from 1"},
        {"geometric:nan", "write `uniform:"},
        {"poisson:-3", "from 0.001"},
        {"lognormal:24", "write `uniform:"},
        {"lognormal:24,x", "write `uniform:"},
        {"poisson:1000000", "smaller one"},
    }));
    CHECK_THROWS_WITH(histogram_of(text, kLargest), ContainsSubstring(what));
}
