#include "sim/driver/driver_memory.hpp"

#include <algorithm>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

namespace {

using namespace literals;
using What = DriverTerm::What;

constexpr StreamId kStream{1};
constexpr StreamId kOther{2};
constexpr GraphExecId kGraph{1};
constexpr GraphExecId kNext{2};

// Round figures; no card has them.
MemoryProfile made_up() {
    MemoryProfile profile;
    profile.granularity = 2_MiB;
    profile.context = {500_MiB, {1_MiB, 0}, "context"};
    profile.modules = {2_MiB, {}, "modules"};
    profile.streams = {1_MiB, 1_MiB, {2_MiB, 0}, "streams"};
    profile.graphs = {2_KiB, 1_KiB, 100_KiB, 200_KiB, 3_MiB, {4_MiB, 0.25}, "graphs"};
    profile.memory_nodes = {32_MiB, {}, "memory nodes"};
    return profile;
}

Bytes term(const DriverMemory& memory, What what) {
    const auto all = memory.terms();
    const auto found = std::ranges::find(all, what, &DriverTerm::what);
    return found == all.end() ? 0_B : found->bytes;
}

struct Actions {
    std::mt19937_64 random;
    std::vector<GraphExecId> alive;
    Bytes nodes;
};

// A random one of the calls.
void act(DriverMemory& memory, Actions& actions) {
    auto& [random, alive, nodes] = actions;
    const std::uint64_t number = random();
    const StreamId stream{static_cast<std::uint32_t>(number % 40)};
    switch (random() % 7) {
        case 0:
            memory.launch_kernel();
            break;
        case 1:
            memory.use_stream(stream);
            break;
        case 2:
            alive.push_back(GraphExecId{number});
            memory.instantiate(alive.back(), {number % 5000, number % 300});
            break;
        case 3:
            memory.hold_memory_nodes(nodes += 32_MiB);
            break;
        case 4:
            if (!alive.empty()) {
                memory.destroy(alive.back());
                alive.pop_back();
            }
            break;
        case 5:
            memory.add({What::kLibrary, std::to_string(number % 3)}, {3_MiB, {}, "library"});
            break;
        default:
            memory.add({What::kCollective, "ring"}, {Bytes{number % 1000}, {1_MiB, 0}, "ring"});
            break;
    }
}

}  // namespace

TEST_CASE("the terms add up to the total, and their errors to its error", "[driver]") {
    const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{9}));
    INFO("seed " << seed);
    Actions actions{std::mt19937_64(seed), {}, {}};
    DriverMemory memory(made_up());
    Bytes before;
    for (int i = 0; i < 120; ++i) {
        act(memory, actions);
        Bytes sum;
        Bytes error;
        for (const DriverTerm& each : memory.terms()) {
            sum += each.bytes;
            error += each.error;
            CHECK_FALSE(each.source.empty());
        }
        CHECK(memory.total() == sum);
        CHECK(memory.error() == error);
        CHECK(memory.total() >= before);
        CHECK(memory.total() % 2_MiB == 0_B);
        before = memory.total();
    }
}

TEST_CASE("a process that has done nothing has its context", "[driver]") {
    const DriverMemory memory(made_up());
    CHECK(memory.terms() ==
          std::vector<DriverTerm>{{What::kContext, "", 500_MiB, 1_MiB, "context"}});
}

TEST_CASE("modules are loaded once, at the first kernel", "[driver]") {
    DriverMemory memory(made_up());
    memory.launch_kernel();
    memory.launch_kernel();
    CHECK(term(memory, What::kModules) == 2_MiB);
}

TEST_CASE("a stream counts once, the default one not at all", "[driver]") {
    DriverMemory memory(made_up());
    memory.use_stream(kDefaultStream);
    CHECK(memory.terms().size() == 1);
    memory.use_stream(kStream);
    memory.use_stream(kStream);
    CHECK(term(memory, What::kStreams) == 0_B);
    memory.use_stream(kOther);
    CHECK(term(memory, What::kStreams) == 2_MiB);
}

TEST_CASE("the first graphs fit into what the context has", "[driver]") {
    DriverMemory memory(made_up());
    memory.instantiate(kGraph, {308, 0});
    CHECK(term(memory, What::kGraphs) == 0_B);
    memory.instantiate(kNext, {900, 0});
    // The second one's nodes do not fit beside the first one's.
    const Bytes launches = 100_KiB * 2 + 1_KiB * (308 + 900);
    CHECK(term(memory, What::kGraphs) == round_up(2_MiB * 2 + launches - 3_MiB, 2_MiB));
}

TEST_CASE("a graph takes the memory that a destroyed one left", "[driver]") {
    DriverMemory memory(made_up());
    memory.instantiate(kGraph, {4000, 100});
    const Bytes taken = memory.total();
    memory.destroy(kGraph);
    CHECK(memory.total() == taken);
    memory.instantiate(kNext, {4000, 100});
    CHECK(memory.total() == taken);
    memory.instantiate(kGraph, {4000, 100});
    CHECK(memory.total() > taken);
}

TEST_CASE("what nodes left serves no joins", "[driver]") {
    DriverMemory memory(made_up());
    memory.instantiate(kGraph, {64'000, 0});
    const Bytes taken = memory.total();
    memory.destroy(kGraph);
    // Of what the 64,000 kernels needed, joins use the launches' part only, though 126 MiB of nodes
    // are free.
    const Bytes nodes = round_up(2_KiB * 64'000, 2_MiB);
    const Bytes launches_before = 100_KiB + 1_KiB * 64'000;
    const Bytes launches = 100_KiB + 1_KiB * 1'200 + 200_KiB * 400;
    memory.instantiate(kNext, {1'200, 400});
    CHECK(memory.total() - taken == round_up(nodes + launches - 3_MiB, 2_MiB) -
                                        round_up(nodes + launches_before - 3_MiB, 2_MiB));
}

TEST_CASE("the error of graphs grows with them", "[driver]") {
    DriverMemory memory(made_up());
    memory.instantiate(kGraph, {1, 0});
    CHECK(memory.error() == 5_MiB);
    memory.instantiate(kNext, {100'000, 0});
    CHECK(memory.error() == 1_MiB + Bytes{term(memory, What::kGraphs).count / 4});
}

TEST_CASE("graph memory nodes are a term of their own once there are any", "[driver]") {
    DriverMemory memory(made_up());
    CHECK(memory.terms().size() == 1);
    memory.hold_memory_nodes(64_MiB);
    CHECK(term(memory, What::kMemoryNodes) == 64_MiB);
    memory.hold_memory_nodes(32_MiB);
    CHECK(memory.total() == 532_MiB);
}

TEST_CASE("a library's memory nodes bear its name, and the larger of its errors", "[driver]") {
    DriverMemory memory(made_up());
    memory.add_library_nodes("blas", {32_MiB, {1_MiB, 0}, "guessed"});
    memory.add_library_nodes("blas", {32_MiB, {2_MiB, 0}, "guessed again"});
    memory.add_library_nodes("solver", {8_MiB, {4_MiB, 0}, "measured"});
    CHECK(memory.terms().size() == 1);
    memory.hold_memory_nodes(64_MiB);
    CHECK(memory.terms().back() == DriverTerm{What::kMemoryNodes,
                                              "blas, solver",
                                              64_MiB,
                                              6_MiB,
                                              "memory nodes; guessed again; measured"});
}

TEST_CASE("libraries, collectives and others are terms of their own, by name", "[driver]") {
    DriverMemory memory(made_up());
    memory.add({What::kOther, "display"}, {2_MiB, {}, "seen"});
    memory.add({What::kLibrary, "solver"}, {3_MiB, {}, "measured"});
    memory.add({What::kLibrary, "blas"}, {1_MiB, {1_MiB, 0}, "guessed"});
    memory.add({What::kLibrary, "blas"}, {2_MiB, {1_MiB, 0}, "guessed again"});
    memory.add({What::kCollective, "all_reduce"}, {16_MiB, {}, "given"});
    auto terms = memory.terms();
    terms.erase(terms.begin());
    CHECK(terms == std::vector<DriverTerm>{{What::kLibrary, "blas", 4_MiB, 2_MiB, "guessed again"},
                                           {What::kLibrary, "solver", 4_MiB, 0_B, "measured"},
                                           {What::kCollective, "all_reduce", 16_MiB, 0_B, "given"},
                                           {What::kOther, "display", 2_MiB, 0_B, "seen"}});
    CHECK(memory.remove("blas"));
    CHECK(memory.total() == 522_MiB);
    CHECK_FALSE(memory.remove("blas"));
}

TEST_CASE("what an owner would take more is told beforehand", "[driver]") {
    DriverMemory memory(made_up());
    const DriverMemory::Owner ring{What::kCollective, "ring"};
    Bytes expected = memory.total();
    for (const Bytes more : {1_MiB, 512_KiB, 512_KiB, 1_B, 7_MiB}) {
        expected += memory.growth(ring, more);
        memory.add(ring, {more, {}, "a test"});
        CHECK(memory.total() == expected);
    }
    CHECK(expected == 510_MiB);
}

TEST_CASE("a profile of nothing costs nothing", "[driver]") {
    DriverMemory memory{MemoryProfile{}};
    memory.launch_kernel();
    memory.use_stream(kStream);
    memory.instantiate(kGraph, {1000, 10});
    CHECK(memory.total() == 0_B);
    CHECK(memory.error() == 0_B);
}

TEST_CASE("an error is the larger of its two bounds, however large", "[driver]") {
    CHECK(ErrorBar{4_MiB, 0.25}.of(8_MiB) == 4_MiB);
    CHECK(ErrorBar{4_MiB, 0.25}.of(64_MiB) == 16_MiB);
    CHECK(ErrorBar{4_MiB, 1e300}.of(1_GiB) == Bytes{std::uint64_t{1} << 63});
}

TEST_CASE("each term has a name", "[driver]") {
    CHECK(name_of(What::kContext) == "context");
    CHECK(name_of(What::kMemoryNodes) == "graph memory nodes");
    CHECK(name_of(What::kCollective) == "collective");
    CHECK(name_of(What::kOther) == "other");
}

}  // namespace highwater
