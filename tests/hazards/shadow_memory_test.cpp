#include "sim/hazards/shadow_memory.hpp"

#include <memory>

#include "sim/core/bytes.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

class NoListener : public ShadowMemory::Listener {
  public:
    void unordered(const Access&, const Access&, ShadowMemory::Iterator) override { ++told; }
    void overwritten(const Access&, const Access&, ShadowMemory::Iterator) override { ++told; }
    void outrun(const Access&, const Access&, ShadowMemory::Iterator) override { ++told; }
    int told = 0;
};

Access access(Instance instance, Epoch epoch) {
    Access access;
    access.instance = instance;
    access.epoch = epoch;
    access.writes = true;
    return access;
}

Clock clock(Epoch epoch) {
    Clock clock;
    clock.advance(kDefaultStream, epoch);
    return clock;
}

constexpr Address kBegin{1024};
constexpr Address kMiddle{2048};
constexpr Address kEnd{4096};

}  // namespace

TEST_CASE("memory that nothing accesses leaves one cell, however it was cut", "[shadow]") {
    ShadowMemory memory;
    Clock host;
    const auto low = memory.hold(kBegin, kMiddle, Instance{1}, host);
    const auto high = memory.hold(kMiddle, kEnd, Instance{2}, host);
    CHECK(memory.all().size() == 2);
    memory.let_go(high, kEnd, {Instance{2}}, nullptr);
    memory.let_go(low, kMiddle, {Instance{1}}, nullptr);
    CHECK(memory.all().size() == 1);
    CHECK(memory.all().begin()->second.end == kEnd);
}

TEST_CASE("a write that covers cells makes them one", "[shadow]") {
    ShadowMemory memory;
    NoListener listener;
    Clock host;
    for (const Address begin : {kBegin, kMiddle}) {
        const Address end = begin == kBegin ? kMiddle : kEnd;
        const auto cell = memory.hold(begin, end, Instance{1}, host);
        memory.write(cell, end, access(Instance{1}, 1), clock(1), listener);
        memory.let_go(cell, end, {Instance{1}}, nullptr);
    }
    const auto all = memory.hold(kBegin, kEnd, Instance{2}, host);
    CHECK(memory.all().size() == 2);
    memory.write(all, kEnd, access(Instance{2}, 2), clock(2), listener);
    CHECK(memory.all().size() == 1);
    CHECK(listener.told == 0);
}

TEST_CASE("a write that covers a part of a cell cuts it", "[shadow]") {
    ShadowMemory memory;
    NoListener listener;
    memory.write(memory.cells(kBegin, kEnd), kEnd, access(Instance{1}, 1), clock(1), listener);
    memory.write(
        memory.cells(kBegin, kMiddle), kMiddle, access(Instance{1}, 2), clock(2), listener);
    REQUIRE(memory.all().size() == 2);
    CHECK(memory.all().begin()->second.writes.back().epoch == 2);
    CHECK(memory.all().rbegin()->first == kMiddle);
    CHECK(memory.all().rbegin()->second.writes.back().epoch == 1);
}

TEST_CASE("whoever gets memory learns what was awaited for it", "[shadow]") {
    ShadowMemory memory;
    Clock host;
    const auto cell = memory.hold(kBegin, kEnd, Instance{1}, host);
    memory.let_go(cell, kEnd, {Instance{1}}, std::make_shared<Clock>(clock(7)));
    memory.hold(kMiddle, kEnd, Instance{2}, host);
    CHECK(host.covers(kDefaultStream, 7));
    CHECK_FALSE(host.covers(kDefaultStream, 8));
}

TEST_CASE("memory that is dropped has no history", "[shadow]") {
    ShadowMemory memory;
    NoListener listener;
    memory.write(memory.cells(kBegin, kEnd), kEnd, access(Instance{1}, 1), clock(1), listener);
    int last = 0;
    memory.drop(kBegin, kMiddle, [&](const Access&, ShadowMemory::Iterator) { ++last; });
    CHECK(last == 1);
    CHECK(memory.all().begin()->first == kMiddle);
}
