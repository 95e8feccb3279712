#include "sim/hazards/happens_before.hpp"

#include <algorithm>
#include <utility>

namespace highwater {

HappensBefore::HappensBefore(const Program& program)
    : program_(program),
      has_blocking_streams_(std::ranges::any_of(program.streams, &StreamEntry::blocking)),
      clocks_(program.streams.size()),
      epochs_(Clock::kMaxStreams),
      threads_(std::max<std::size_t>(1, program.threads.size())) {
    threads_.front().emplace();
}

void HappensBefore::follow_legacy_order(StreamId stream) {
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

WorkPoint HappensBefore::work(StreamId stream) {
    follow_legacy_order(stream);
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    const Epoch epoch = ++epochs_[Clock::place_of(stream)];
    clock.advance(stream, epoch);
    if (program_.machine.blocking_launches) {
        host().join(clock);
    }
    return {stream, epoch, clock};
}

WorkPoint HappensBefore::replay(StreamId stream, Clock& last_run) {
    clocks_[index_of(stream)].join(last_run);
    const WorkPoint point = work(stream);
    last_run = point.known;
    return point;
}

const Clock& HappensBefore::record(StreamId stream) {
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    return clock;
}

void HappensBefore::wait(StreamId stream, const Clock& event) {
    Clock& clock = clocks_[index_of(stream)];
    clock.join(host());
    clock.join(event);
}

void HappensBefore::synchronize() {
    for (const Clock& clock : clocks_) {
        host().join(clock);
    }
}

void HappensBefore::switch_thread(ThreadId thread) {
    auto& next = threads_[index_of(thread)];
    if (!next) {
        next = host();
    }
    thread_ = index_of(thread);
}

WorkPoint CaptureOrder::work(StreamId stream) {
    Clock& clock = clocks_.at(stream);
    const Epoch epoch = ++epochs_[Clock::place_of(stream)];
    clock.advance(stream, epoch);
    return {stream, epoch, clock};
}

}  // namespace highwater
