#include "sim/hazards/stream_order.hpp"

#include <algorithm>
#include <utility>

namespace highwater {

StreamOrder::StreamOrder(const Program& program)
    : program_(program),
      has_blocking_streams_(std::ranges::any_of(program.streams, &StreamEntry::blocking)),
      clocks_(program.streams.size()),
      epochs_(Clock::kMaxStreams),
      threads_(std::max<std::size_t>(1, program.threads.size())) {
    threads_.front().emplace();
}

void StreamOrder::follow_legacy_order(StreamId stream) {
    if (!has_blocking_streams_) {
        return;
    }
    if (program_.streams[index_of(stream)].blocking) {
        wait(stream, record(kDefaultStream));
    } else if (stream == kDefaultStream) {
        for (std::uint32_t i = 1; i < program_.streams.size(); ++i) {
            if (program_.streams[i].blocking) {
                wait(stream, record(StreamId{i}));
            }
        }
    }
}

Point StreamOrder::put(StreamId stream) {
    follow_legacy_order(stream);
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    const Epoch epoch = ++epochs_[Clock::place_of(stream)];
    clock.advance(stream, epoch);
    return {stream, epoch, clock};
}

Point StreamOrder::work(StreamId stream) {
    const Point point = put(stream);
    if (program_.machine.blocking_launches) {
        synchronize(stream);
    }
    return point;
}

Point StreamOrder::replay(StreamId stream, Clock& last_run) {
    clocks_[index_of(stream)].join(last_run);
    const Point point = put(stream);
    last_run = point.known;
    return point;
}

const Clock& StreamOrder::record(StreamId stream) {
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    return clock;
}

void StreamOrder::wait(StreamId stream, const Clock& event) {
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    clock.join(event);
}

void StreamOrder::synchronize() {
    for (const Clock& clock : clocks_) {
        host().join(clock);
    }
}

void StreamOrder::switch_thread(ThreadId thread) {
    auto& next = threads_[index_of(thread)];
    if (!next) {
        next = host();
    }
    thread_ = index_of(thread);
}

Point CaptureOrder::work(StreamId stream) {
    Clock& clock = clocks_.at(stream);
    const Epoch epoch = ++epochs_[Clock::place_of(stream)];
    clock.advance(stream, epoch);
    return {stream, epoch, clock};
}

}  // namespace highwater
