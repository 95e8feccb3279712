#include "sim/plan/fit/kv_fit.hpp"

#include "tests/plan/plan_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// 41 MiB of weights and ids, and what passes need behind the cache.
std::string serving(const std::string& tokens) {
    return R"(
  - load_weights
  - kv_cache: {bytes_per_token: 256 KiB, block: 16, tokens: )" +
           tokens + R"(}
  - capture: {buckets: decode, stream: capture}
  - warm_up: {buckets: [16], stream: capture}
)";
}

}  // namespace

TEST_CASE("the largest KV cache fits, and one block more does not", "[kv]") {
    const auto tokens = GENERATE("16", "rest", "4000");
    const Lowered lowered = lowered_of(small_decoder(serving(tokens)));
    const auto fit = plan::largest_kv_cache(lowered, nullptr);
    REQUIRE(fit);
    CHECK(fit->tokens % 16 == 0);
    CHECK(fit->bytes.count == static_cast<std::uint64_t>(fit->tokens) * fit->per_token.count);
    const auto fails = [&](std::int64_t with) {
        return plan::run_phases(plan::with_kv_cache(lowered, with), nullptr)
            .ledger.failure.has_value();
    };
    CHECK_FALSE(fails(fit->tokens));
    CHECK(fails(fit->tokens + 16));
    // Whatever the scenario asks for itself.
    CHECK(fit == plan::largest_kv_cache(lowered_of(small_decoder(serving("32"))), nullptr));
}

TEST_CASE("a scenario without a KV cache has no largest one", "[kv]") {
    CHECK_FALSE(plan::largest_kv_cache(lowered_of(small_decoder("\n  - load_weights\n")), nullptr));
}

TEST_CASE("where not one block fits there is no largest cache", "[kv]") {
    const Lowered lowered = lowered_of(small_decoder(R"(
  - alloc: {all: 1022 MiB}
  - kv_cache: {bytes_per_token: 1 MiB, block: 16, tokens: 16}
)"));
    CHECK_FALSE(plan::largest_kv_cache(lowered, nullptr));
}
