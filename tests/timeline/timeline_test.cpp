// Host threads that run ahead, and streams that work.
#include "sim/timeline/timeline.hpp"

#include "sim/allocator/predicted_error.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

using namespace std::chrono_literals;

namespace {

constexpr StreamId kA{1};
constexpr StreamId kB{2};
constexpr std::size_t kStreams = 3;

const TimeProfile kNoTime;

// 5 us a launch on the host, and what a card adds.
TimeProfile profile() {
    TimeProfile times;
    times.host.record_event = 200ns;
    times.host.wait_event = 300ns;
    times.host.query_event = 100ns;
    times.host.synchronize = 1us;
    times.card.launch_latency = 2us;
    times.card.least_kernel = 1us;
    times.card.kernel_gap = 500ns;
    times.card.stream_wait = 700ns;
    return times;
}

Work kernel(Duration duration, float width = 1) {
    return {duration, width, Work::Unit::kCard};
}

Instant at(Duration since_begin) {
    return Instant{since_begin};
}

Instant synchronized(Timeline& timeline, StreamId stream) {
    timeline.synchronize(stream);
    return timeline.now();
}

}  // namespace

TEST_CASE("without a profile all work is done at once", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    work.launch(kA, kernel(0us));
    CHECK(work.completed(work.record(kA)));
    CHECK(work.now() == at(0us));
}

TEST_CASE("kernels of a stream follow one another, with the profile's gaps", "[timeline]") {
    const TimeProfile times = profile();
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(10us));
    work.launch(kA, kernel(10us));
    // 2 us until the first begins, 10 + 0.5 + 10, and 1 us until the host knows.
    CHECK(synchronized(work, kA) == at(23'500ns));
    CHECK(work.busy(kA) == 20us);
    CHECK(work.busy() == 20us);
    CHECK(work.host_bound() == 2us);
}

TEST_CASE("no kernel is shorter than the card's shortest", "[timeline]") {
    const TimeProfile times = profile();
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(0us));
    synchronized(work, kA);
    CHECK(work.busy(kA) == 1us);
}

TEST_CASE("an event is done when what was before it is, and not a moment earlier", "[timeline]") {
    const TimeProfile times = profile();
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(10us));
    const EventId event = work.record(kA);
    work.launch(kA, kernel(50us));
    work.spend(at(12us) - work.now() - times.host.query_event - 1ns);
    CHECK_FALSE(work.completed(event));
    work.spend(1ns - times.host.query_event);
    CHECK(work.completed(event));
}

TEST_CASE("a stream begins what follows a wait behind the other stream's work", "[timeline]") {
    const TimeProfile times = profile();
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(10us, 0.1F));
    work.wait(kB, work.record(kA));
    work.launch(kB, kernel(5us, 0.1F));
    // A ends at 12 us; 0.7 us later B begins.
    CHECK(synchronized(work, kB) == at(18'700ns));
}

TEST_CASE("streams that do not wait for each other work at the same time", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    work.launch(kA, kernel(10us, 0.5F));
    work.launch(kB, kernel(8us, 0.5F));
    work.drain();
    CHECK(work.end() == at(10us));
    CHECK(work.busy() == 10us);
    CHECK(work.busy(kA) == 10us);
    CHECK(work.busy(kB) == 8us);
}

TEST_CASE("the host runs ahead of the card until it waits", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    for (int i = 0; i < 4; ++i) {
        work.spend(5us);
        work.launch(kA, kernel(20us));
    }
    CHECK(work.now() == at(20us));
    CHECK(synchronized(work, kA) == at(85us));
    CHECK(work.host_waited() == 65us);
    CHECK(work.host_bound() == 5us);
}

TEST_CASE("with a slow host the card waits for launches", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    for (int i = 0; i < 4; ++i) {
        work.spend(10us);
        work.launch(kA, kernel(2us));
    }
    work.drain();
    CHECK(work.end() == at(42us));
    CHECK(work.busy() == 8us);
    CHECK(work.host_bound() == 34us);
}

TEST_CASE("a full queue of launches makes the host wait for room", "[timeline]") {
    TimeProfile times;
    times.host.launch_queue = 2;
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(10us));
    work.launch(kA, kernel(10us));
    CHECK(work.now() == at(0us));
    work.launch(kA, kernel(10us));
    CHECK(work.now() == at(10us));
    work.launch(kB, kernel(10us));
    CHECK(work.now() == at(10us));
}

TEST_CASE("an event behind a hold completes when the stream is let go", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    const EventId before = work.record(kA);
    work.hold(kA);
    const EventId behind = work.record(kA);
    CHECK(work.completed(before));
    CHECK_FALSE(work.completed(behind));
    CHECK(work.completed(work.record(kB)));
    work.release(kA);
    CHECK(work.completed(behind));
}

TEST_CASE("a stream that waits for a held one is held up with it", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    work.hold(kA);
    work.wait(kB, work.record(kA));
    const EventId event = work.record(kB);
    CHECK_FALSE(work.completed(event));
    work.release(kA);
    CHECK(work.completed(event));
}

TEST_CASE("a second hold does not free what the first let go", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    work.hold(kA);
    const EventId first = work.record(kA);
    work.release(kA);
    work.hold(kA);
    const EventId second = work.record(kA);
    CHECK(work.completed(first));
    CHECK_FALSE(work.completed(second));
}

TEST_CASE("synchronising behind a hold would never end, and says so", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    CHECK_NOTHROW(work.synchronize(kA));
    work.hold(kA);
    CHECK_THROWS_AS(work.synchronize(kA), PredictedError);
}

TEST_CASE("waiting for the device is one wait, for the last of all streams", "[timeline]") {
    const TimeProfile times = profile();
    Timeline work(times, kStreams, 1);
    work.launch(kA, kernel(10us, 0.1F));
    work.launch(kB, kernel(30us, 0.1F));
    work.synchronize_device();
    CHECK(work.now() == at(33us));
    work.synchronize_device();
    CHECK(work.now() == at(34us));
}

TEST_CASE("what waits for the card does not wait behind a hold", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    work.hold(kA);
    work.launch(kA, kernel(10us));
    work.launch(kB, kernel(10us));
    work.wait_for_card();
    CHECK(work.now() == at(10us));
}

TEST_CASE("threads have clocks of their own, and calls keep the Program's order", "[timeline]") {
    Timeline work(kNoTime, kStreams, 2);
    work.begin_call();
    work.spend(10us);
    work.switch_thread(ThreadId{1});
    work.begin_call();
    CHECK(work.now() == at(0us));
    work.spend(3us);
    work.begin_call();
    work.switch_thread(ThreadId{0});
    work.begin_call();
    CHECK(work.now() == at(10us));
    work.switch_thread(ThreadId{1});
    work.begin_call();
    CHECK(work.now() == at(10us));
}

TEST_CASE("a hundred thousand streams that wait for one another go on in turn", "[timeline]") {
    constexpr std::size_t kMany = 100'000;
    Timeline work(kNoTime, kMany, 1);
    work.hold(StreamId{0});
    for (std::uint32_t i = 1; i < kMany; ++i) {
        work.wait(StreamId{i}, work.record(StreamId{i - 1}));
    }
    const EventId last = work.record(StreamId{kMany - 1});
    CHECK_FALSE(work.completed(last));
    work.release(StreamId{0});
    CHECK(work.completed(last));
}

namespace {

struct Heard {
    std::string what;
    StreamId stream{};
    std::size_t origin = 0;
    Span span;
    friend bool operator==(const Heard&, const Heard&) = default;
};

class Listener : public TimelineListener {
  public:
    std::vector<Heard> heard;

    void work_done(StreamId stream, std::size_t origin, Span span) override {
        heard.push_back({"work", stream, origin, span});
    }
    void graph_done(StreamId stream, std::size_t origin, Span span) override {
        heard.push_back({"graph", stream, origin, span});
    }
    void node_done(StreamId stream, std::size_t tag, std::uint32_t node, Span span) override {
        heard.push_back({"node", stream, tag * 10 + node, span});
    }
    void stream_waited(StreamId stream, std::size_t origin, Span span) override {
        heard.push_back({"wait", stream, origin, span});
    }
};

}  // namespace

TEST_CASE("a listener hears when work, waits, graphs and nodes began and ended", "[timeline]") {
    TimeProfile times;
    times.card.node_gap = 1us;
    Timeline work(times, kStreams, 1);
    Listener listener;
    work.set_listener(&listener);
    work.set_origin(5);
    work.launch(kA, kernel(10us));
    work.set_origin(6);
    work.wait(kB, work.record(kA));
    work.set_origin(7);
    CaptureGraph graph;
    for (const Duration duration : {Duration{2us}, Duration{3us}}) {
        add_vertex({NodeKind::kKernel, kB, 1, duration, 0}, graph);
    }
    add_edge(0, 1, graph);
    work.launch_graph(kB, std::make_shared<GraphPlan>(graph, times.card), 4);
    work.drain();
    CHECK(listener.heard == std::vector<Heard>{{"work", kA, 5, {at(0us), at(10us)}},
                                               {"wait", kB, 6, {at(0us), at(10us)}},
                                               {"node", kB, 40, {at(10us), at(12us)}},
                                               {"node", kB, 41, {at(13us), at(16us)}},
                                               {"graph", kB, 7, {at(10us), at(16us)}}});
}

TEST_CASE("a stream that need not wait is not heard waiting", "[timeline]") {
    Timeline work(kNoTime, kStreams, 1);
    Listener listener;
    work.set_listener(&listener);
    work.wait(kB, work.record(kA));
    work.launch(kA, kernel(0us));
    work.wait(kB, work.record(kA));
    work.drain();
    REQUIRE(listener.heard.size() == 1);
    CHECK(listener.heard.front().what == "work");
}

}  // namespace highwater
