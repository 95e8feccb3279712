#include "sim/snapshot/number_list.hpp"

#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"

namespace highwater {
namespace {

// A piece and a bit more, whose numbers lie `range` apart.
std::vector<std::uint32_t> numbers_from(std::uint32_t least, std::uint32_t range) {
    constexpr std::uint32_t kStep = 2654435761;
    std::vector<std::uint32_t> numbers{least, least + range};
    while (numbers.size() < NumberList::kPiece + 5) {
        const auto next = static_cast<std::uint32_t>(numbers.size()) * kStep;
        numbers.push_back(least + (range == UINT32_MAX ? next : next % (range + 1)));
    }
    return numbers;
}

void check_same(const NumberList& list, const std::vector<std::uint32_t>& numbers) {
    REQUIRE(list.size() == numbers.size());
    bool is_same = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        is_same = is_same && list[i] == numbers[i];
    }
    CHECK(is_same);
}

TEST_CASE("numbers come out of a list as they went in, however far they lie apart", "[events]") {
    const std::uint32_t range =
        GENERATE(0U, 1U, 255U, 256U, 65535U, 65536U, 0xFFFFFFU, 0x1000000U, UINT32_MAX);
    const std::uint32_t least = range == UINT32_MAX ? 0 : GENERATE(0U, 77U, 0xFEFFFFFEU);
    const std::vector<std::uint32_t> numbers = numbers_from(least, range);
    NumberList list;
    for (const std::uint32_t number : numbers) {
        list.push_back(number);
    }
    check_same(list, numbers);
}

TEST_CASE("none, as UINT32_MAX, stands beside small numbers in a list", "[events]") {
    std::vector<std::uint32_t> numbers = numbers_from(0, 3);
    for (std::size_t i = 0; i < numbers.size(); i += 7) {
        numbers[i] = UINT32_MAX;
    }
    NumberList list;
    for (const std::uint32_t number : numbers) {
        list.push_back(number);
    }
    check_same(list, numbers);
}

TEST_CASE("a copy of a list goes its own way", "[events]") {
    NumberList list;
    for (std::uint32_t i = 0; i < NumberList::kPiece + 2; ++i) {
        list.push_back(i);
    }
    NumberList copy = list;
    copy.push_back(1);
    list.push_back(2);
    CHECK(copy[copy.size() - 1] == 1);
    CHECK(list[list.size() - 1] == 2);
    list.forget_piece(0);
    CHECK(copy[NumberList::kPiece - 1] == NumberList::kPiece - 1);
}

}  // namespace
}  // namespace highwater
