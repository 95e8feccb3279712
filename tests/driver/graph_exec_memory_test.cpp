#include "sim/driver/graph_exec_memory.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {

using namespace literals;

TEST_CASE("pieces share a page as long as they fit", "[pages]") {
    PageStore store(2_MiB);
    CHECK(store.most() == 0_B);
    store.take(1_MiB);
    store.take(1_MiB);
    CHECK(store.most() == 2_MiB);
    store.take(1_B);
    CHECK(store.most() == 4_MiB);
}

TEST_CASE("a piece lies in one page, though the rest of two would hold it", "[pages]") {
    PageStore store(2_MiB);
    store.take(1536_KiB);
    store.take(1536_KiB);
    CHECK(store.most() == 4_MiB);
    store.take(600_KiB);
    CHECK(store.most() == 6_MiB);
}

TEST_CASE("a piece as large as a page has pages of its own, in whole", "[pages]") {
    PageStore store(2_MiB);
    store.take(2_MiB);
    CHECK(store.most() == 2_MiB);
    store.take(2_MiB + 1_B);
    CHECK(store.most() == 6_MiB);
    store.take(1_KiB);
    CHECK(store.most() == 8_MiB);
}

TEST_CASE("what is given back is used again", "[pages]") {
    PageStore store(2_MiB);
    const PageStore::Piece small = store.take(1_MiB + 1_B);
    const PageStore::Piece large = store.take(5_MiB);
    CHECK(store.most() == 8_MiB);
    store.give_back(large);
    store.give_back(small);
    store.take(8_MiB);
    CHECK(store.most() == 8_MiB);
    store.take(1_B);
    CHECK(store.most() == 10_MiB);
}

TEST_CASE("without pages a store counts bytes", "[pages]") {
    PageStore store(0_B);
    store.give_back(store.take(3_B));
    store.take(5_B);
    CHECK(store.most() == 5_B);
}

TEST_CASE("a graph of no kernels has no nodes to keep", "[pages]") {
    GraphExecMemory memory({1_KiB, 1_KiB, 100_KiB, 0_B, 0_B, {}, "made up"}, 2_MiB);
    CHECK_FALSE(memory.has_instantiated());
    memory.instantiate(GraphExecId{1}, {0, 0});
    CHECK(memory.has_instantiated());
    CHECK(memory.taken() == 2_MiB);
}

}  // namespace highwater
