#include "sim/allocator/async/stream_clocks.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace highwater {
namespace {

void raise(std::vector<std::uint64_t>& counts, std::size_t place, std::uint64_t to) {
    counts.resize(std::max(counts.size(), place + 1));
    counts[place] = std::max(counts[place], to);
}

}  // namespace

StreamClocks::Stream& StreamClocks::stream(StreamId id) {
    streams_.resize(std::max(streams_.size(), index_of(id) + 1));
    Stream& found = streams_[index_of(id)];
    if (!found.others) {
        found.others = std::make_shared<const Counts>();
    }
    return found;
}

void StreamClocks::record(StreamId id, EventId event) {
    Stream& at = stream(id);
    ++at.own;
    events_.resize(std::max(events_.size(), index_of(event) + 1));
    events_[index_of(event)] = {id, at};
}

void StreamClocks::wait(StreamId id, EventId event) {
    if (is_behind(id, event)) {
        return;
    }
    const Event& awaited = events_.at(index_of(event));
    auto others = std::make_shared<Counts>(*stream(id).others);
    for (std::size_t i = 0; i < awaited.behind.others->size(); ++i) {
        raise(*others, i, (*awaited.behind.others)[i]);
    }
    raise(*others, index_of(awaited.stream), awaited.behind.own);
    stream(id).others = std::move(others);
}

bool StreamClocks::is_behind(StreamId id, EventId event) const {
    if (index_of(event) >= events_.size() || !events_[index_of(event)].behind.others) {
        return false;
    }
    const Event& awaited = events_[index_of(event)];
    if (awaited.stream == id) {
        return true;
    }
    if (index_of(id) >= streams_.size() || !streams_[index_of(id)].others) {
        return false;
    }
    const Counts& known = *streams_[index_of(id)].others;
    const std::size_t place = index_of(awaited.stream);
    return place < known.size() && known[place] >= awaited.behind.own;
}

}  // namespace highwater
