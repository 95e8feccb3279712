#include "tests/gpu/fake_streams.hpp"

#include <utility>

#include "gpu/refused_error.hpp"

namespace highwater::gpu {

void FakeStreams::put(StreamId stream, Item item) {
    items_[stream].push_back(std::move(item));
    run();
}

void FakeStreams::run() {
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (auto& [stream, items] : items_) {
            while (!items.empty() && items.front()()) {
                items.pop_front();
                has_moved = true;
            }
        }
    }
}

void FakeStreams::work(StreamId stream, std::function<void()> call) {
    put(stream, [call = std::move(call)] {
        call();
        return true;
    });
}

void FakeStreams::wait(StreamId stream, EventId event) {
    put(stream, [this, event] { return completed(event); });
}

void FakeStreams::hold(StreamId stream) {
    put(stream, [this, stream, number = ++holds_[stream]] { return releases_[stream] >= number; });
}

void FakeStreams::release(StreamId stream) {
    releases_[stream] = holds_[stream];
    run();
}

EventId FakeStreams::record(StreamId stream) {
    const EventId event{events_.size()};
    events_.push_back(false);
    put(stream, [this, event] {
        events_[index_of(event)] = true;
        return true;
    });
    return event;
}

void FakeStreams::synchronize(EventId event) {
    if (!completed(event)) {
        throw RefusedError("the host waits for a stream that is held");
    }
}

void FakeStreams::synchronize_device() {
    for (const auto& [stream, items] : items_) {
        if (!items.empty()) {
            throw RefusedError("the host waits for a stream that is held");
        }
    }
}

}  // namespace highwater::gpu
