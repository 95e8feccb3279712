#include "sim/snapshot/pickle/memo.hpp"

#include <cstdint>

#include "sim/core/error.hpp"
#include "tests/support/catch.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

const Origin kOrigin{"x.pickle", 0};
constexpr std::uint64_t kMany = 20000;

Value string(std::int64_t number) {
    return {Kind::kString, 0, 0, number};
}

TEST_CASE("many values, few of them different, are named again as they were", "[pickle]") {
    const std::int64_t different = GENERATE(1, 2, 16, 17, 5000);
    Memo memo;
    for (std::uint64_t key = 0; key < kMany; ++key) {
        memo.put(key, string(static_cast<std::int64_t>(key) % different), kOrigin);
    }
    CHECK(memo.next() == kMany);
    std::uint64_t same = 0;
    for (std::uint64_t key = 0; key < kMany; ++key) {
        const Value value = memo.get(key, kOrigin);
        const bool is_same =
            value.kind == Kind::kString && value.bits == static_cast<std::int64_t>(key) % different;
        same += is_same ? 1U : 0U;
    }
    CHECK(same == kMany);
}

TEST_CASE("a value kept long ago may be kept anew", "[pickle]") {
    const std::int64_t different = GENERATE(1, 2, 5000);
    Memo memo;
    for (std::uint64_t key = 0; key < kMany; ++key) {
        memo.put(key, string(static_cast<std::int64_t>(key) % different), kOrigin);
    }
    memo.put(10, string(77777), kOrigin);
    CHECK(memo.get(9, kOrigin).bits == 9 % different);
    CHECK(memo.get(10, kOrigin).bits == 77777);
    CHECK(memo.get(11, kOrigin).bits == 11 % different);
    CHECK(memo.next() == kMany);
}

TEST_CASE("numbers may be left out, but not too many at once", "[pickle]") {
    Memo memo;
    memo.put(3, string(1), kOrigin);
    memo.put(30000, string(2), kOrigin);
    CHECK(memo.next() == 2);
    CHECK(memo.get(3, kOrigin).bits == 1);
    CHECK_THROWS_AS(memo.get(2, kOrigin), InputError);
    CHECK_THROWS_AS(memo.get(4096, kOrigin), InputError);
    CHECK_THROWS_AS(memo.get(30001, kOrigin), InputError);
    CHECK_THROWS_AS(memo.put(3'000'000, string(3), kOrigin), InputError);
}

TEST_CASE("an event that was numbered cannot be named", "[pickle]") {
    Memo memo;
    for (std::uint64_t key = 0; key < kMany; ++key) {
        memo.put(key, {Kind::kEvents, 0, 1, static_cast<std::int64_t>(key)}, kOrigin);
    }
    CHECK_THROWS_AS(memo.get(5, kOrigin), InputError);
    CHECK_THROWS_AS(memo.get(kMany - 1, kOrigin), InputError);
}

}  // namespace
}  // namespace highwater::pickle
