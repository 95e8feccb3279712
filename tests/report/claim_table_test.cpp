#include "sim/report/claim_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

Claim claim(const Value& expected, std::optional<Value> got, bool holds) {
    Claim made;
    made.place = {"s.yaml", 7, 3};
    made.measure = "total_bytes";
    made.expected = expected;
    made.got = std::move(got);
    made.holds = holds;
    return made;
}

constexpr std::int64_t kMiB = 1 << 20;

}  // namespace

TEST_CASE("claims are a table of sizes for people, and how many hold", "[claims]") {
    Claim shared = claim(26 * kMiB, 26 * kMiB, true);
    shared.with = {{"mode", "shared"}, {"layers", "8"}};
    CHECK(claims_text({claim(706 * kMiB, 706 * kMiB, true), shared}) ==
          "with                   measure       expected        got  holds\n"
          "(defaults)             total_bytes  706.0 MiB  706.0 MiB    yes\n"
          "mode=shared, layers=8  total_bytes   26.0 MiB   26.0 MiB    yes\n"
          "\n"
          "2 of 2 claims hold\n");
}

TEST_CASE("a claim that does not hold is told with its place, to the byte", "[claims]") {
    CHECK(claims_text({claim(kMiB + 1, kMiB, false)}) ==
          "with        measure       expected        got  holds\n"
          "(defaults)  total_bytes  1,048,577  1,048,576     no\n"
          "\n"
          "s.yaml:7: total_bytes: expected 1048577, got 1048576\n"
          "0 of 1 claims hold\n");
}

TEST_CASE("what a run did not reach is none; tolerances and notes are shown where there are any",
          "[claims]") {
    Claim published = claim(2 * kMiB, kMiB, false);
    published.within = 0.25;
    published.note = "published";
    CHECK(claims_text({published, claim(kMiB, std::nullopt, false)}) ==
          "with        measure             expected      got  holds  note\n"
          "(defaults)  total_bytes  2.0 MiB +/- 25%  1.0 MiB     no  published\n"
          "(defaults)  total_bytes          1.0 MiB     none     no\n"
          "\n"
          "s.yaml:7: total_bytes: expected 2097152 within 0.25, got 1048576\n"
          "s.yaml:7: total_bytes: expected 1048576, got none\n"
          "0 of 2 claims hold\n");
}
