// A run of a million operations in simulated time is an interactive question.
#include <ctime>

#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace std::chrono_literals;

namespace {

// A host that runs ahead of two streams, with a temporary that both use.
Program a_million_operations() {
    constexpr std::size_t kOperations = 1'000'000;
    constexpr StreamId kMain{1};
    constexpr StreamId kSide{2};
    constexpr TensorId kTemporary{0};
    constexpr EventName kEvent{0};
    Program p;
    p.machine = {80_GiB, 1.0, ""};
    p.streams = {
        {"default", StreamHandle{0}}, {"main", StreamHandle{1}}, {"side", StreamHandle{2}}};
    p.tensors = {"temporary"};
    p.events = {"event"};
    while (p.ops.size() < kOperations) {
        p.ops.insert(p.ops.end(),
                     {op::RecordEvent{kEvent, kMain},
                      op::WaitEvent{kSide, kEvent},
                      op::Alloc{kTemporary, 8_MiB, kSide},
                      op::Kernel{kSide, {}, {kTemporary}, 4us, 0.25F},
                      op::Kernel{kMain, {kTemporary}, {}, 6us, 0.5F},
                      op::RecordStream{kTemporary, kMain},
                      op::Free{kTemporary}});
    }
    return p;
}

}  // namespace

TEST_CASE("a million operations take under a second, with time", "[time]") {
    CostProfile costs;
    costs.times.host.operation = 5us;
    costs.times.host.launch_queue = 1024;
    costs.times.card.kernel_gap = 1500ns;
    RunOptions options;
    options.costs = &costs;
    const Program program = a_million_operations();
    const std::clock_t begin = std::clock();
    const Ledger ledger = run(program, options);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    REQUIRE_FALSE(ledger.failure);
    // Two launches of every seven operations take the host 5 us each.
    CHECK(ledger.times->end >= Instant{1'428'000us});
#ifdef NDEBUG
    CHECK(seconds < 1.0);
#else
    CHECK(seconds < 60.0);
#endif
}

}  // namespace highwater
