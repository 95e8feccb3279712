// What a run says of its captured graphs.
#include "tests/engine/capture_program.hpp"

namespace highwater::captured {

using namespace literals;

namespace {

Op kernel(StreamId stream) {
    return op::Kernel{stream, {}, {}};
}

}  // namespace

TEST_CASE("a graph is told with its forks, joins and width", "[graphs]") {
    std::vector<Op> ops{op::BeginCapture{kG, kOrigin, {}}, kernel(kOrigin)};
    append(ops, wait_stream(kSide, kOrigin));
    append(ops, wait_stream(kThird, kOrigin));
    append(ops, {kernel(kSide), kernel(kSide), kernel(kThird), kernel(kOrigin)});
    append(ops, wait_stream(kOrigin, kSide));
    append(ops, wait_stream(kOrigin, kThird));
    append(ops, {kernel(kOrigin), op::EndCapture{kG}});
    const Ledger ledger = run(program(ops));
    REQUIRE(ledger.graphs.size() == 1);
    const GraphRow& row = ledger.graphs[0];
    CHECK(row.nodes == 6);
    CHECK(row.forks == 1);
    CHECK(row.joins == 1);
    CHECK(row.width == 3);
    CHECK(row.is_width_exact);
}

TEST_CASE("a graph whose streams only take turns is as wide as a chain", "[graphs]") {
    std::vector<Op> ops{op::BeginCapture{kG, kOrigin, {}}};
    for (int layer = 0; layer < 3; ++layer) {
        append(ops, {kernel(kOrigin)});
        append(ops, wait_stream(kSide, kOrigin));
        append(ops, {kernel(kSide)});
        append(ops, wait_stream(kOrigin, kSide));
    }
    append(ops, {op::EndCapture{kG}});
    const Ledger ledger = run(program(ops));
    CHECK(ledger.graphs.at(0).width == 1);
    CHECK(ledger.graphs.at(0).nodes == 6);
}

}  // namespace highwater::captured
