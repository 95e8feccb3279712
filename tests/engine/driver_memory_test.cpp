// Memory beside PyTorch's allocator: who has it, and when the card is full of it.
#include <algorithm>

#include "sim/engine/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

namespace {

constexpr StreamId kCapture{1};
constexpr StreamId kSide{2};
constexpr GraphId kG{0};
constexpr TensorId kX{0};

// A card of 1 GiB.
Program program(std::vector<Op> ops) {
    Program p;
    p.machine = {1_GiB, 1.0, ""};
    p.streams = {
        {"default", StreamHandle{0}}, {"capture", StreamHandle{1}}, {"side", StreamHandle{2}}};
    p.tensors = {"x"};
    p.graphs = {"g"};
    p.ops = std::move(ops);
    return p;
}

// Of 1 GiB a context of 100 MiB leaves 924 MiB; a stream takes 10 MiB.
CostProfile costs() {
    CostProfile made;
    made.memory.granularity = 2_MiB;
    made.memory.context = {100_MiB, {}, "context"};
    made.memory.streams = {10_MiB, {}, {}, "streams"};
    made.memory.memory_nodes = {32_MiB, {}, "nodes"};
    return made;
}

Ledger run_with(const CostProfile& costs, std::vector<Op> ops) {
    RunOptions options;
    options.costs = &costs;
    return run(program(std::move(ops)), options);
}

op::AddDriverMemory library(Bytes size, std::optional<StreamId> stream = {}) {
    return {"blas", "a test", op::DriverUser::kLibrary, size, 1_MiB, stream};
}

Bytes term(const Ledger& ledger, DriverTerm::What what) {
    const auto found = std::ranges::find(ledger.driver.value(), what, &DriverTerm::what);
    return found == ledger.driver->end() ? 0_B : found->bytes;
}

void require_out_of_driver_memory(const Ledger& ledger, std::size_t op) {
    REQUIRE(ledger.failure);
    CHECK(ledger.failure->kind == Failure::Kind::kOutOfMemory);
    CHECK(ledger.failure->cuda_error == CudaError::kMemoryAllocation);
    CHECK(ledger.failure->op == op);
}

// A capture of what is given.
std::vector<Op> captured(std::vector<Op> body) {
    body.insert(body.begin(), op::BeginCapture{kG, kCapture, {}, op::CaptureMode::kRelaxed});
    body.emplace_back(op::EndCapture{kG});
    return body;
}

std::vector<Op> then(std::vector<Op> ops, const std::vector<Op>& more) {
    ops.insert(ops.end(), more.begin(), more.end());
    return ops;
}

}  // namespace

TEST_CASE("what the driver holds is not to be had by the allocator", "[driver]") {
    const CostProfile profile = costs();
    CHECK_FALSE(run_with(profile, {op::Alloc{kX, 924_MiB, kDefaultStream}}).failure);
    const Ledger full = run_with(profile, {op::Alloc{kX, 926_MiB, kDefaultStream}});
    REQUIRE(full.failure);
    CHECK(full.failure->kind == Failure::Kind::kOutOfMemory);
    CHECK_FALSE(full.failure->cuda_error);
    CHECK_THAT(full.failure->message, Catch::Contains("924.0 MiB free"));
    CHECK_FALSE(run(program({op::Alloc{kX, 926_MiB, kDefaultStream}})).failure);
}

TEST_CASE("expandable segments find the driver's memory taken, too", "[driver]") {
    Program p = program({op::Alloc{kX, 920_MiB, kDefaultStream}});
    p.machine.conf = "expandable_segments:True";
    const CostProfile profile = costs();
    RunOptions options;
    options.costs = &profile;
    CHECK_FALSE(run(p, options).failure);
    p.ops = {op::Alloc{kX, 940_MiB, kDefaultStream}};
    CHECK(run(p, options).failure);
}

TEST_CASE("a tensor that takes the rest leaves the driver what it holds", "[driver]") {
    const CostProfile profile = costs();
    const Ledger ledger = run_with(
        profile,
        {library(24_MiB), op::AllocRest{kX, 1_MiB, 0_B, kDefaultStream}, op::Checkpoint{"full"}});
    CHECK(ledger.placements.at(0).size == 900_MiB);
}

TEST_CASE("a library counts against the card, and gives back what it has", "[driver]") {
    const CostProfile profile = costs();
    const Op x = op::Alloc{kX, 900_MiB, kDefaultStream};
    CHECK(run_with(profile, {library(26_MiB), x}).failure);
    const Ledger ledger = run_with(
        profile, {library(26_MiB), op::Checkpoint{"has"}, op::RemoveDriverMemory{"blas"}, x});
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.checkpoints.at(0).driver == 126_MiB);
    CHECK(ledger.checkpoints.at(0).driver_error == 1_MiB);
    CHECK(term(ledger, DriverTerm::What::kLibrary) == 0_B);
}

TEST_CASE("a library finds the card full, with the allocator as it was", "[driver]") {
    const CostProfile profile = costs();
    const Ledger ledger = run_with(profile,
                                   {op::Alloc{kX, 900_MiB, kDefaultStream},
                                    op::Try{"blas"},
                                    library(26_MiB),
                                    op::EndTry{},
                                    library(24_MiB)});
    CHECK_FALSE(ledger.failure);
    REQUIRE(ledger.caught.size() == 1);
    CHECK(ledger.caught[0].kind == Failure::Kind::kOutOfMemory);
    CHECK(ledger.caught[0].cuda_error == CudaError::kMemoryAllocation);
    CHECK(ledger.result.num_ooms == 0);
    CHECK(ledger.result.num_alloc_retries == 0);
    CHECK(term(ledger, DriverTerm::What::kLibrary) == 24_MiB);
}

TEST_CASE("the first work on a stream needs room on the card", "[driver]") {
    const CostProfile profile = costs();
    const auto with = [](Bytes size) {
        return std::vector<Op>{op::Alloc{kX, size, kDefaultStream},
                               op::Kernel{kSide, {}, {}},
                               op::Kernel{kSide, {}, {}}};
    };
    CHECK_FALSE(run_with(profile, with(914_MiB)).failure);
    require_out_of_driver_memory(run_with(profile, with(916_MiB)), 1);
}

TEST_CASE("a stream that found no room finds none again, and counts for nothing", "[driver]") {
    const CostProfile profile = costs();
    const std::vector<Op> first_work{op::Try{"work"}, op::Kernel{kSide, {}, {}}, op::EndTry{}};
    const std::vector<Op> full{op::Alloc{kX, 916_MiB, kDefaultStream}};
    const Ledger ledger =
        run_with(profile,
                 then(then(then(full, first_work), first_work),
                      {op::Free{kX}, op::EmptyCache{}, op::Kernel{kSide, {}, {}}}));
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.caught.size() == 2);
    CHECK(term(ledger, DriverTerm::What::kStreams) == 10_MiB);
    const Ledger refused = run_with(profile, then(full, first_work));
    CHECK(refused.caught.size() == 1);
    CHECK(term(refused, DriverTerm::What::kStreams) == 0_B);
    CHECK(refused.times.value().card_busy == Duration{});
}

TEST_CASE("the first kernel of all needs room for the modules", "[driver]") {
    CostProfile profile = costs();
    profile.memory.modules = {20_MiB, {}, "modules"};
    const auto with = [](Bytes size) {
        return std::vector<Op>{op::Alloc{kX, size, kDefaultStream}, op::Kernel{kSide, {}, {}}};
    };
    CHECK_FALSE(run_with(profile, with(894_MiB)).failure);
    require_out_of_driver_memory(run_with(profile, with(896_MiB)), 1);
}

TEST_CASE("a graph that found no room finds none again, and counts for nothing", "[driver]") {
    CostProfile profile = costs();
    profile.memory.graphs = {0_B, 0_B, 40_MiB, 0_B, 0_B, {}, "graphs"};
    std::vector<Op> ops{op::Alloc{kX, 884_MiB, kDefaultStream}};
    for (int i = 0; i < 2; ++i) {
        ops = then(std::move(ops), {op::Try{"capture"}});
        ops = then(std::move(ops), captured({op::Kernel{kCapture, {}, {}}}));
        ops = then(std::move(ops), {op::EndTry{}, op::DestroyGraph{kG}});
    }
    const Ledger ledger = run_with(profile, ops);
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.caught.size() == 2);
    CHECK(term(ledger, DriverTerm::What::kGraphs) == 0_B);
}

TEST_CASE("a graph that finds no room is not made executable", "[driver]") {
    CostProfile profile = costs();
    profile.memory.graphs = {0_B, 0_B, 40_MiB, 0_B, 0_B, {}, "graphs"};
    const auto with = [](Bytes size) {
        return then({op::Alloc{kX, size, kDefaultStream}},
                    captured({op::Kernel{kCapture, {}, {}}}));
    };
    // 2 MiB are the random generator's.
    CHECK_FALSE(run_with(profile, with(880_MiB)).failure);
    require_out_of_driver_memory(run_with(profile, with(884_MiB)), 3);
}

TEST_CASE("a library's allocation in a capture is taken where the graph is launched", "[driver]") {
    const CostProfile profile = costs();
    const std::vector<Op> graph =
        captured({library(20_MiB, kCapture), op::Kernel{kCapture, {}, {}}});
    const Ledger ledger = run_with(profile,
                                   then(graph,
                                        {op::Checkpoint{"captured"},
                                         op::Replay{kG, kDefaultStream},
                                         op::Checkpoint{"replayed"},
                                         op::Replay{kG, kDefaultStream}}));
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.checkpoints.at(0).driver == 100_MiB);
    CHECK(ledger.checkpoints.at(1).driver == 132_MiB);
    CHECK(term(ledger, DriverTerm::What::kMemoryNodes) == 32_MiB);
    CHECK(ledger.graphs.at(0).nodes == 2);
}

TEST_CASE("a launch may find the card full, with the allocator's figures unchanged", "[driver]") {
    const CostProfile profile = costs();
    const auto replayed_beside = [&](Bytes size) {
        const std::vector<Op> before{op::Alloc{kX, size, kDefaultStream}};
        const std::vector<Op> graph = captured({library(20_MiB, kCapture)});
        return run_with(profile, then(then(before, graph), {op::Replay{kG, kDefaultStream}}));
    };
    CHECK_FALSE(replayed_beside(890_MiB).failure);
    const Ledger full = replayed_beside(892_MiB);
    require_out_of_driver_memory(full, 4);
    CHECK(full.result.num_ooms == 0);
    CHECK(full.result.reserved_bytes.all.current == (894_MiB).count);
}

TEST_CASE("a library's nodes share their memory where one is freed before the next", "[driver]") {
    const CostProfile profile = costs();
    std::vector<Op> body;
    for (int i = 0; i < 4; ++i) {
        body.emplace_back(library(20_MiB, kCapture));
        body.emplace_back(op::RemoveDriverMemory{"blas"});
    }
    const Ledger ledger = run_with(profile, then(captured(body), {op::Replay{kG, kDefaultStream}}));
    CHECK_FALSE(ledger.failure);
    CHECK(ledger.graphs.at(0).nodes == 8);
    CHECK(term(ledger, DriverTerm::What::kMemoryNodes) == 32_MiB);
}

TEST_CASE("outside a capture a library on a stream takes its memory at once", "[driver]") {
    const CostProfile profile = costs();
    const Ledger ledger = run_with(profile, {library(20_MiB, kSide)});
    CHECK(term(ledger, DriverTerm::What::kLibrary) == 20_MiB);
}

TEST_CASE("without a cost profile only what is named is known of the driver", "[driver]") {
    CHECK_FALSE(run(program({op::Alloc{kX, 8_MiB, kDefaultStream}})).driver);
    const Ledger ledger = run(program({library(5_MiB), op::Alloc{kX, 1020_MiB, kDefaultStream}}));
    REQUIRE(ledger.failure);
    CHECK(ledger.driver ==
          std::vector<DriverTerm>{{DriverTerm::What::kLibrary, "blas", 5_MiB, 1_MiB, "a test"}});
    CHECK(driver_total(ledger) == 5_MiB);
    CHECK(driver_error(ledger) == 1_MiB);
}

TEST_CASE("memory is given back by who has it", "[driver]") {
    CHECK_THROWS_AS(run(program({op::RemoveDriverMemory{"blas"}})), InputError);
    CHECK_THROWS_AS(
        run(program(
            {library(1_MiB), op::RemoveDriverMemory{"blas"}, op::RemoveDriverMemory{"blas"}})),
        InputError);
}

}  // namespace highwater
