// A run of a million operations in simulated time is an interactive question.
#include <algorithm>
#include <ctime>

#include "bench/timed_program.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

TEST_CASE("a million operations take under a second, with time", "[time]") {
    const CostProfile costs = timed::host_ahead_profile();
    RunOptions options;
    options.costs = &costs;
    const Program program = timed::eager_program();
    const std::clock_t begin = std::clock();
    const Ledger ledger = run(program, options);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    REQUIRE_FALSE(ledger.failure);
    const auto launches = std::ranges::count_if(
        program.ops, [](const Op& op) { return std::holds_alternative<op::Kernel>(op); });
    CHECK(ledger.times->end >= Instant{costs.times.host.operation * launches});
#ifdef NDEBUG
    CHECK(seconds < 1.0);
#else
    CHECK(seconds < 60.0);
#endif
}

}  // namespace highwater
