#include "sim/capture/antichain.hpp"

#include "tests/support/catch.hpp"

namespace highwater {

TEST_CASE("nothing has no weight", "[antichain]") {
    CHECK(heaviest_antichain({}) == Antichain{});
}

TEST_CASE("elements without order weigh together", "[antichain]") {
    CHECK(heaviest_antichain({{5, 7}, {}}) == Antichain{12, {0, 1}});
}

TEST_CASE("one heavy element outweighs many that come after it", "[antichain]") {
    CHECK(heaviest_antichain({{9, 3, 3}, {{0, 1}, {0, 2}}}) == Antichain{9, {0}});
    CHECK(heaviest_antichain({{5, 3, 3}, {{0, 1}, {0, 2}}}) == Antichain{6, {1, 2}});
}

TEST_CASE("order carries over through an element lighter than both its neighbours", "[antichain]") {
    CHECK(heaviest_antichain({{8, 1, 9}, {{0, 1}, {1, 2}}}) == Antichain{9, {2}});
}

TEST_CASE("weights may be as large as memory is", "[antichain]") {
    const std::uint64_t huge = std::uint64_t{1} << 60;
    CHECK(heaviest_antichain({{huge, huge, huge}, {{0, 1}}}).weight == 2 * huge);
}

}  // namespace highwater
