#include "sim/snapshot/pickle/memo.hpp"

#include <cstdint>

#include "sim/core/error.hpp"
#include "tests/support/catch.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

const Origin kOrigin{"x.pickle", 0};
constexpr std::int64_t kMany = 300000;
// Behind those that are left as they are.
constexpr std::int64_t kLate = 270000;

Value string(std::int64_t number) {
    return {Kind::kString, 0, 0, number};
}

TEST_CASE("many values, few of them different, are named again as they were", "[pickle]") {
    const std::int64_t different = GENERATE(1, 2, 16, 17, 5000);
    Memo memo;
    for (std::int64_t key = 0; key < kMany; ++key) {
        memo.put(static_cast<std::uint64_t>(key), string(key % different), kOrigin);
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
    for (std::int64_t key = 0; key < kMany; ++key) {
        memo.put(static_cast<std::uint64_t>(key), string(key % different), kOrigin);
    }
    memo.put(kLate, string(77777), kOrigin);
    CHECK(memo.get(kLate - 1, kOrigin).bits == (kLate - 1) % different);
    CHECK(memo.get(kLate, kOrigin).bits == 77777);
    CHECK(memo.get(kLate + 1, kOrigin).bits == (kLate + 1) % different);
    CHECK(memo.next() == kMany);
}

TEST_CASE("what stands between events is named again as it was", "[pickle]") {
    const std::int64_t every = GENERATE(2, 3, 4, 64, 100);
    const auto at = [](std::int64_t key) { return static_cast<std::uint64_t>(key); };
    Memo memo;
    for (std::int64_t key = 0; key < kMany; ++key) {
        memo.put(
            at(key), key % every == 1 ? string(key) : Value{Kind::kEvents, 0, 1, key}, kOrigin);
    }
    std::int64_t same = 0;
    for (std::int64_t key = 1; key < kMany; key += every) {
        same += memo.get(at(key), kOrigin).bits == key ? 1 : 0;
    }
    CHECK(same == (kMany - 2) / every + 1);
    const std::int64_t record = kLate / every * every;
    CHECK_THROWS_AS(memo.get(at(record), kOrigin), InputError);
    memo.put(at(record), string(77777), kOrigin);
    CHECK(memo.get(at(record), kOrigin).bits == 77777);
    CHECK(memo.get(at(record + 1), kOrigin).bits == record + 1);
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
    for (std::int64_t key = 0; key < kMany; ++key) {
        memo.put(static_cast<std::uint64_t>(key), {Kind::kEvents, 0, 1, key}, kOrigin);
    }
    CHECK_THROWS_AS(memo.get(5, kOrigin), InputError);
    CHECK_THROWS_AS(memo.get(kMany - 1, kOrigin), InputError);
}

}  // namespace
}  // namespace highwater::pickle
