#include "sim/allocator/audit.hpp"

#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {

// A copy of a good state, to be spoilt. Its ports are those of the process.
allocator::State spoilt(const Process& process) {
    return process.allocator.state();
}

bool finds(const allocator::State& state, const std::string& text) {
    const std::vector<std::string> findings = allocator::audit(state);
    return std::ranges::any_of(findings, [&text](const std::string& finding) {
        return finding.find(text) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("the audit finds what it is there to find", "[audit]") {
    Process process;
    const BlockId a = process.malloc(4_MiB);
    const BlockId b = process.malloc(4_MiB);
    process.free(a);
    allocator::State state = spoilt(process);
    CHECK(allocator::audit(state).empty());

    SECTION("a counter that is off") {
        state.counters.increase(Counter::kAllocation, PoolKind::kLarge, 1);
        CHECK(finds(state, "allocation.large_pool says 2"));
    }
    SECTION("a free block that is in no set") {
        state.pool_streams[0].free.erase(state.blocks, a);
        CHECK(finds(state, "out of order"));
    }
    SECTION("a block in use that is in a set") {
        state.blocks[a].allocated = true;
        CHECK(finds(state, "out of order"));
    }
    SECTION("neighbours that do not meet") {
        state.blocks[b].address = state.blocks[b].address + 512_B;
        CHECK(finds(state, "does not end where its next neighbour begins"));
    }
    SECTION("free neighbours that were not merged") {
        state.blocks[b].allocated = false;
        CHECK(finds(state, "both free, but apart"));
    }
    SECTION("bytes from the device that nobody holds") {
        state.total_allocated += 2_MiB;
        CHECK(finds(state, "bytes from the device are miscounted"));
    }
    SECTION("a size that is no multiple of 512") {
        state.blocks[a].size += 1_B;
        CHECK(finds(state, "no multiple of 512"));
    }
    SECTION("an event in no queue") {
        state.blocks[b].allocated = false;
        state.blocks[b].event_count = 1;
        CHECK(finds(state, "disagree"));
    }
}

}  // namespace highwater
