#include "sim/engine/held_streams.hpp"

#include <algorithm>
#include <cstddef>

#include "sim/allocator/predicted_error.hpp"

namespace highwater {
namespace {

template <typename T>
T& at_grown(std::vector<T>& table, StreamId stream) {
    const auto index = static_cast<std::size_t>(stream);
    table.resize(std::max(table.size(), index + 1));
    return table[index];
}

}  // namespace

HeldStreams::Holds& HeldStreams::holds_of(StreamId stream) {
    Holds& holds = at_grown(behind_, stream);
    std::erase_if(holds, [this](Hold hold) { return !in_force(hold); });
    return holds;
}

void HeldStreams::hold(StreamId stream) {
    Hold& own = at_grown(own_, stream);
    if (own != 0) {
        return;
    }
    released_.push_back(false);
    own = static_cast<Hold>(released_.size());
    holds_of(stream).push_back(own - 1);
}

void HeldStreams::release(StreamId stream) {
    Hold& own = at_grown(own_, stream);
    if (own != 0) {
        released_[own - 1] = true;
        own = 0;
    }
}

bool HeldStreams::is_blocked(StreamId stream) const {
    const auto index = static_cast<std::size_t>(stream);
    return index < behind_.size() &&
           std::ranges::any_of(behind_[index], [this](Hold hold) { return in_force(hold); });
}

void HeldStreams::wait(StreamId stream, EventId event) {
    Holds& holds = holds_of(stream);
    for (const Hold hold : events_[static_cast<std::size_t>(event)]) {
        if (in_force(hold) && std::ranges::find(holds, hold) == holds.end()) {
            holds.push_back(hold);
        }
    }
}

EventId HeldStreams::record(StreamId stream) {
    const Holds& holds = holds_of(stream);
    if (holds.empty()) {
        return EventId{0};
    }
    events_.push_back(holds);
    return EventId{events_.size() - 1};
}

bool HeldStreams::completed(EventId event) {
    return std::ranges::none_of(events_[static_cast<std::size_t>(event)],
                                [this](Hold hold) { return in_force(hold); });
}

void HeldStreams::synchronize(EventId event) {
    if (!completed(event)) {
        throw PredictedError(PredictedError::Kind::kDeadlock,
                             "the host waits for a stream that waits for the host: the program "
                             "would never go on");
    }
}

}  // namespace highwater
