// Where memory is, and whose blocks keep it.
#include "sim/snapshot/why/why.hpp"

#include "tests/support/process.hpp"

namespace highwater {

using namespace literals;

namespace {

// Blocks by the names that a test gives them.
class Owners {
  public:
    explicit Owners(const Process& process) : process_(process) {}

    void own(BlockId block, const std::string& name) { names_[process_.address(block)] = name; }
    OwnerOf function() const {
        return [this](Address address) {
            const auto found = names_.find(address);
            return found == names_.end() ? std::string(kUnknownOwner) : found->second;
        };
    }

  private:
    const Process& process_;
    std::map<Address, std::string> names_;
};

}  // namespace

TEST_CASE("an owner holds what its blocks alone keep, and shares what others keep too", "[why]") {
    Process process;
    Owners owners(process);
    // Segment 1: a alone with 2 MiB of 20. Segment 2: a and b with 2 MiB each.
    owners.own(process.malloc(2_MiB), "a");
    const BlockId filler = process.malloc(18_MiB);
    owners.own(process.malloc(2_MiB), "a");
    owners.own(process.malloc(2_MiB), "b");
    process.free(filler);
    const Why result = why(process.allocator.state(), owners.function());
    REQUIRE(result.owners.size() == 2);
    CHECK(result.owners[0] == OwnerRow{.owner = "a",
                                       .blocks = 2,
                                       .allocated = 4_MiB,
                                       .holds_alone = 18_MiB,
                                       .segments_alone = 1,
                                       .holds_with_others = 16_MiB,
                                       .segments_with_others = 1});
    CHECK(result.owners[1] == OwnerRow{.owner = "b",
                                       .blocks = 1,
                                       .allocated = 2_MiB,
                                       .holds_alone = {},
                                       .segments_alone = 0,
                                       .holds_with_others = 16_MiB,
                                       .segments_with_others = 1});
    CHECK(result.pools.front().held == 34_MiB);
}

TEST_CASE("what an owner holds alone goes back once its blocks are freed", "[why]") {
    Process process;
    Owners owners(process);
    std::vector<BlockId> mine;
    for (int i = 0; i < 4; ++i) {
        mine.push_back(process.malloc(1_MiB));
        owners.own(mine.back(), "mine");
        owners.own(process.malloc(9_MiB, process.side), "other");
        mine.push_back(process.malloc(3_MiB + 512_B));
        owners.own(mine.back(), "mine");
    }
    const Why before = why(process.allocator.state(), owners.function());
    const auto row = std::ranges::find(before.owners, "mine", &OwnerRow::owner);
    REQUIRE(row != before.owners.end());
    REQUIRE(row->segments_with_others == 0);
    process.empty_cache();
    const std::uint64_t reserved = process.reserved();
    for (const BlockId block : mine) {
        process.free(block);
    }
    process.empty_cache();
    CHECK(reserved - process.reserved() == (row->holds_alone + row->allocated).count);
}

TEST_CASE("a pool's parts add up, and its largest owners come first", "[why]") {
    Process process;
    Owners owners(process);
    for (std::size_t i = 0; i < Why::kOwners + 2; ++i) {
        owners.own(process.malloc(Bytes{(i + 2) << 20U}), "owner" + std::to_string(i));
    }
    process.events.idle = false;
    const BlockId waits = process.malloc(12_MiB);
    process.record_stream(waits, process.side);
    process.free(waits);
    const Why result = why(process.allocator.state(), owners.function());
    REQUIRE(result.pools.size() == 1);
    const PoolWhy& pool = result.pools.front();
    CHECK(pool.reserved.count == process.reserved());
    CHECK(pool.reserved == pool.allocated + pool.free + pool.waiting + pool.parked);
    CHECK(pool.waiting == 12_MiB);
    REQUIRE(pool.owners.size() == Why::kOwners);
    CHECK(pool.owners.front().first == "owner6");
    CHECK(pool.last_growth->requested == 12_MiB);
}

TEST_CASE("the request of a moment is told why nothing serves it", "[why]") {
    Process process;
    process.free(process.malloc(32_MiB, process.side));
    const allocator::State& s = process.allocator.state();
    const Why result = why(s,
                           Owners(process).function(),
                           allocator::request_in(s, 32_MiB, process.other, kDefaultPoolId));
    REQUIRE(result.request);
    CHECK(result.request->stranded[StrandedReason::kOtherStream] == 32_MiB);
    CHECK_FALSE(why(s, Owners(process).function()).request);
    CHECK_FALSE(allocator::request_in(s, 32_MiB, process.other, PoolId{0, 9}));
}

}  // namespace highwater
