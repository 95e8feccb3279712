// What operations are in simulated time.
#include <algorithm>
#include <optional>

#include "sim/engine/run.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;
using namespace std::chrono_literals;

namespace {

constexpr StreamId kCapture{1};
constexpr StreamId kSide{2};
constexpr GraphId kG{0};
constexpr PoolName kPool{0};
constexpr TensorId kX{0};
constexpr TensorId kBig{1};
constexpr EventName kFork{0};
constexpr EventName kJoin{1};
constexpr ThreadId kOther{1};

Program program(std::vector<Op> ops) {
    Program p;
    p.machine = {80_GiB, 1.0, ""};
    p.streams = {
        {"default", StreamHandle{0}}, {"capture", StreamHandle{1}}, {"side", StreamHandle{2}}};
    p.tensors = {"x", "big", "z"};
    p.events = {"fork", "join"};
    p.graphs = {"g"};
    p.pools = {"p"};
    p.threads = {"main", "other"};
    p.ops = std::move(ops);
    return p;
}

CostProfile costs() {
    CostProfile made;
    made.times.card.host_to_device = 1e9;
    return made;
}

Ledger timed(std::vector<Op> ops) {
    const CostProfile profile = costs();
    RunOptions options;
    options.costs = &profile;
    return run(program(std::move(ops)), options);
}

Instant end_of(const Ledger& ledger) {
    REQUIRE_FALSE(ledger.failure);
    return ledger.times.value().end;
}

std::vector<Op> in_graph(std::vector<Op> body) {
    body.insert(body.begin(), op::BeginCapture{kG, kCapture, std::nullopt});
    body.emplace_back(op::EndCapture{kG});
    return body;
}

}  // namespace

TEST_CASE("host threads are busy at the same time", "[time]") {
    CHECK(end_of(timed({op::HostWork{10ms},
                        op::SwitchThread{kOther},
                        op::HostWork{10ms},
                        op::SwitchThread{kMainThread},
                        op::HostWork{1ms}})) == Instant{11ms});
}

TEST_CASE("without a cost profile durations count for nothing", "[time]") {
    const Ledger ledger =
        run(program({op::Kernel{kSide, {}, {}, 5ms, 1}, op::HostWork{5ms}, op::Synchronize{}}));
    CHECK_FALSE(ledger.times);
    CHECK_FALSE(ledger.failure);
}

TEST_CASE("an operation allocates between its beginning and its launch", "[time]") {
    CostProfile profile;
    profile.times.host.operation = 10us;
    profile.times.host.launch = 4us;
    profile.times.host.capture_node = 1us;
    RunOptions options;
    options.costs = &profile;
    const auto host_after = [&](std::vector<Op> ops) {
        ops.emplace_back(op::Checkpoint{"end"});
        return run(program(std::move(ops)), options).checkpoints.at(0).time - Instant{};
    };
    const Op x = op::Alloc{kX, 8_MiB, kSide};
    const Op big = op::Alloc{kBig, 8_MiB, kSide};
    const Op kernel = op::Kernel{kSide, {}, {}};
    CHECK(host_after({kernel}) == 10us);
    CHECK(host_after({x}) == 6us);
    CHECK(host_after({x, big, kernel}) == 10us);
    CHECK(host_after({x, kernel, big, kernel, kernel}) == 30us);
    CHECK(host_after({x, kernel, big}) == 16us);
    // Another thread is in an operation of its own.
    CHECK(host_after({x, op::SwitchThread{kOther}, kernel}) == 10us);
    const Op captured = op::Kernel{kCapture, {}, {}};
    CHECK(host_after(in_graph({op::Alloc{kX, 8_MiB, kCapture}, captured, captured})) == 14us);
}

TEST_CASE("a copy in a graph runs on its engine, beside the kernels", "[time]") {
    const std::vector<Op> body{op::Kernel{kCapture, {}, {}, 1us, 1},
                               op::RecordEvent{kFork, kCapture},
                               op::WaitEvent{kSide, kFork},
                               op::Copy{kSide, op::CopyKind::kHostToDevice, false, 1_MiB, {}, {}},
                               op::RecordEvent{kJoin, kSide},
                               op::Kernel{kCapture, {}, {}, 1ms, 1},
                               op::WaitEvent{kCapture, kJoin},
                               op::Kernel{kCapture, {}, {}, 1us, 1}};
    std::vector<Op> ops = in_graph(body);
    ops.emplace_back(op::Replay{kG, kCapture});
    const Ledger ledger = timed(ops);
    // 1 MiB at 1 GB/s is the longer of the two.
    CHECK(ledger.graphs[0].replay_time == 1'048'576ns + 2us);
}

TEST_CASE("a graph does not run beside itself, in whichever streams", "[time]") {
    std::vector<Op> ops = in_graph({op::Kernel{kCapture, {}, {}, 1ms, 0.25F}});
    ops.emplace_back(op::Replay{kG, kCapture});
    ops.emplace_back(op::Replay{kG, kSide});
    CHECK(end_of(timed(ops)) == Instant{2ms});
}

TEST_CASE("a checkpoint knows what the card has done by then", "[time]") {
    const Ledger ledger = timed({op::Kernel{kSide, {}, {}, 1ms, 1},
                                 op::HostWork{10ms},
                                 op::Checkpoint{"done"},
                                 op::Kernel{kSide, {}, {}, 100ms, 1},
                                 op::HostWork{50ms},
                                 op::Checkpoint{"under way"}});
    CHECK(ledger.checkpoints[0].card_busy == 1ms);
    CHECK(ledger.checkpoints[0].time == Instant{10ms});
    CHECK(ledger.checkpoints[1].card_busy == 51ms);
}

TEST_CASE("the host's code in a stream keeps the stream busy, and not the card", "[time]") {
    const Ledger ledger =
        timed({op::HostFunction{kSide, 10ms}, op::Synchronize{kSide}, op::Checkpoint{"c"}});
    CHECK(end_of(ledger) == Instant{10ms});
    CHECK(ledger.checkpoints[0].card_busy == 0ms);
}

TEST_CASE("a run is over when the host's code in its streams is", "[time]") {
    CHECK(end_of(timed({op::HostFunction{kSide, 10ms}})) == Instant{10ms});
}

TEST_CASE("memory is given back to the device when the host's code in streams is done", "[time]") {
    const Ledger ledger = timed({op::Alloc{kX, 1_MiB, kDefaultStream},
                                 op::Free{kX},
                                 op::HostFunction{kSide, 10ms},
                                 op::EmptyCache{},
                                 op::Checkpoint{"c"}});
    CHECK(ledger.checkpoints.at(0).time == Instant{10ms});
}

TEST_CASE("memory over time does not go back where threads are not as far", "[time]") {
    const CostProfile profile = costs();
    RunOptions options;
    options.costs = &profile;
    options.memory_over_time = true;
    const Ledger ledger = run(program({op::HostWork{10ms},
                                       op::Alloc{kX, 2_MiB, kDefaultStream},
                                       op::SwitchThread{kOther},
                                       op::Alloc{kBig, 30_MiB, kDefaultStream},
                                       op::HostWork{5ms},
                                       op::SwitchThread{kMainThread},
                                       op::HostWork{10ms},
                                       op::Free{kX},
                                       op::SwitchThread{kOther},
                                       op::Free{kBig}}),
                              options);
    REQUIRE(ledger.memory.size() >= 4);
    CHECK(std::ranges::is_sorted(ledger.memory, {}, &MemoryAt::time));
    CHECK(ledger.memory.back().allocated == 0_B);
}

TEST_CASE("a program that outlasts the clock is refused", "[time]") {
    std::vector<Op> ops(900'000, op::HostWork{kMaxDuration});
    CHECK_THROWS_AS(timed(std::move(ops)), InputError);
    CHECK_THROWS_AS(timed({op::Copy{kSide, op::CopyKind::kHostToDevice, false, 8192_GiB, {}, {}}}),
                    InputError);
}

TEST_CASE("an error leaves the pools that were entered, and no other", "[try]") {
    const Ledger ledger = timed({op::CreatePool{kPool},
                                 op::EnterPool{kPool},
                                 op::Try{"t"},
                                 op::Alloc{kBig, 1024_GiB, kDefaultStream},
                                 op::EnterPool{kPool},
                                 op::LeavePool{kPool},
                                 op::EndTry{},
                                 op::Alloc{kX, 20_MiB, kDefaultStream},
                                 op::LeavePool{kPool}});
    REQUIRE_FALSE(ledger.failure);
    CHECK(ledger.caught.size() == 1);
    CHECK(ledger.pools.at(ledger.placements.at(0).pool).name == "p");
}

TEST_CASE("an error frees what was made in what is tried, and nothing from before", "[try]") {
    const Ledger ledger = timed({op::Alloc{kX, 20_MiB, kDefaultStream},
                                 op::Try{"t"},
                                 op::Alloc{TensorId{2}, 20_MiB, kDefaultStream},
                                 op::Alloc{kBig, 1024_GiB, kDefaultStream},
                                 op::Free{kX},
                                 op::Free{TensorId{2}},
                                 op::EndTry{}});
    REQUIRE_FALSE(ledger.failure);
    CHECK(ledger.result.allocated_bytes.all.current == (20_MiB).count);
    CHECK(ledger.result.reserved_bytes.all.current == (40_MiB).count);
}

TEST_CASE("a pool that is half set back ends the run, tried or not", "[try]") {
    const Ledger ledger = timed({op::CreatePool{kPool},
                                 op::EnterPool{kPool},
                                 op::Alloc{kX, 2_MiB, kDefaultStream},
                                 op::LeavePool{kPool},
                                 op::SavePool{kPool, "n"},
                                 op::HoldStream{kSide},
                                 op::RecordStream{kX, kSide},
                                 op::Try{"t"},
                                 op::RestorePool{"n"},
                                 op::EndTry{},
                                 op::Free{kX}});
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->op == 8);
}

}  // namespace highwater
