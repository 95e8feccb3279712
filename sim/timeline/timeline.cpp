#include "sim/timeline/timeline.hpp"

#include <algorithm>
#include <utility>

#include "sim/allocator/predicted_error.hpp"

namespace highwater {
namespace {

constexpr const char* kReleaseFirst =
    "release the stream that is held before the host waits for what is behind it";

}  // namespace

Timeline::Timeline(const TimeProfile& times, std::size_t streams, std::size_t threads)
    : times_(times), threads_(std::max<std::size_t>(threads, 1)), streams_(streams) {}

void Timeline::begin_call() {
    threads_[thread_] = std::max(threads_[thread_], last_call_);
    last_call_ = threads_[thread_];
}

void Timeline::switch_thread(ThreadId thread) {
    thread_ = index_of(thread);
}

void Timeline::launch(StreamId stream, const Work& work) {
    await_room(stream);
    const bool is_kernel = work.unit == Work::Unit::kCard;
    const Duration duration =
        is_kernel ? std::max(work.duration, times_.card.least_kernel) : work.duration;
    work_ += duration + times_.card.launch_latency + times_.card.kernel_gap;
    ++stream_of(stream).launches;
    put(stream, {Item::Kind::kWork, work.unit, share_of(work.width), duration, now(), 0});
}

void Timeline::launch_graph(StreamId stream,
                            std::shared_ptr<const GraphPlan> plan,
                            std::size_t tag) {
    await_room(stream);
    work_ += plan->work() + times_.card.launch_latency + times_.card.kernel_gap;
    const std::uint32_t run = new_run();
    runs_[run].plan = std::move(plan);
    runs_[run].stream = static_cast<std::uint32_t>(index_of(stream));
    runs_[run].tag = tag;
    ++stream_of(stream).launches;
    put(stream, {Item::Kind::kGraph, {}, {}, {}, now(), run});
}

void Timeline::wait(StreamId stream, EventId event) {
    spend(times_.host.wait_event);
    depend(stream, event);
}

void Timeline::depend(StreamId stream, EventId event) {
    catch_up();
    if (!events_[index_of(event)].is_done) {
        put(stream, {Item::Kind::kWait, {}, {}, {}, now(), index_of(event)});
    }
}

void Timeline::hold(StreamId stream) {
    std::uint64_t& own = stream_of(stream).hold;
    if (own != 0) {
        return;
    }
    released_.push_back(false);
    own = released_.size();
    put(stream, {Item::Kind::kHold, {}, {}, {}, now(), own - 1});
}

void Timeline::release(StreamId stream) {
    std::uint64_t& own = stream_of(stream).hold;
    if (own == 0) {
        return;
    }
    catch_up();
    released_[own - 1] = true;
    own = 0;
    go_on(static_cast<std::uint32_t>(index_of(stream)));
}

// With nothing in the stream the event is done as soon as it is recorded.
EventId Timeline::record(StreamId stream) {
    spend(times_.host.record_event);
    return mark(stream);
}

EventId Timeline::mark(StreamId stream) {
    catch_up();
    if (stream_of(stream).items.empty()) {
        return EventId{0};
    }
    events_.emplace_back();
    put(stream, {Item::Kind::kRecord, {}, {}, {}, now(), events_.size() - 1});
    return EventId{events_.size() - 1};
}

bool Timeline::completed(EventId event) {
    spend(times_.host.query_event);
    return is_done(event);
}

bool Timeline::is_done(EventId event) {
    catch_up();
    return events_[index_of(event)].is_done;
}

void Timeline::run_until_done(EventId event) {
    catch_up();
    while (!events_[index_of(event)].is_done) {
        if (!step()) {
            throw PredictedError(PredictedError::Kind::kDeadlock,
                                 "the host waits for a stream that waits for the host: the program "
                                 "would never go on",
                                 kReleaseFirst);
        }
    }
}

void Timeline::synchronize(EventId event) {
    run_until_done(event);
    await(events_[index_of(event)].at);
}

void Timeline::synchronize(StreamId stream) {
    synchronize(mark(stream));
}

void Timeline::synchronize_device() {
    Instant last{};
    for (std::uint32_t i = 0; i < streams_.size(); ++i) {
        const EventId all = mark(StreamId{i});
        run_until_done(all);
        last = std::max(last, events_[index_of(all)].at);
    }
    await(last);
}

void Timeline::wait_for_card() {
    catch_up();
    drain();
    await(last_done_);
}

void Timeline::await(Instant at) {
    Instant& now = threads_[thread_];
    if (at > now) {
        host_waited_ += at - now;
        now = at;
    }
    now += times_.host.synchronize;
}

void Timeline::await_room(StreamId stream) {
    const std::uint64_t most = times_.host.launch_queue;
    if (most == 0 || stream_of(stream).launches < most) {
        return;
    }
    catch_up();
    while (stream_of(stream).launches >= most) {
        if (!step()) {
            throw PredictedError(PredictedError::Kind::kDeadlock,
                                 "the stream's queue of launches is full, and the stream waits for "
                                 "the host: the program would never go on",
                                 kReleaseFirst);
        }
    }
    if (card_now_ > now()) {
        host_waited_ += card_now_ - now();
        threads_[thread_] = card_now_;
    }
}

void Timeline::catch_up() {
    const auto next = [this] {
        Instant at = Instant::max();
        for (const Card& unit : units_) {
            at = std::min(at, unit.next_finish().value_or(Instant::max()));
        }
        return planned_.empty() ? at : std::min(at, planned_.top().at);
    };
    while (next() <= now()) {
        step();
    }
    card_now_ = std::max(card_now_, now());
}

void Timeline::drain() {
    while (step()) {
    }
}

Instant Timeline::end() const {
    return std::max(*std::ranges::max_element(threads_), last_done_);
}

std::uint32_t Timeline::new_run() {
    if (free_runs_.empty()) {
        free_runs_.push_back(static_cast<std::uint32_t>(runs_.size()));
        runs_.emplace_back();
    }
    const std::uint32_t run = free_runs_.back();
    free_runs_.pop_back();
    return run;
}

void Timeline::run_done(std::uint32_t run, Duration time) {
    const std::size_t tag = runs_[run].tag;
    graph_runs_.resize(std::max(graph_runs_.size(), tag + 1));
    ++graph_runs_[tag].count;
    graph_runs_[tag].time += time;
    runs_[run].plan.reset();
    free_runs_.push_back(run);
}

}  // namespace highwater
