#include "sim/scenario/lower/stream_pool.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace highwater {

std::size_t StreamPool::level_of(std::int64_t priority) {
    check(priority <= 0, "stream priorities are 0 or less");
    const std::int64_t lowest = -static_cast<std::int64_t>(kLevels - 1);
    return static_cast<std::size_t>(-std::max(priority, lowest));
}

StreamPool::Stream StreamPool::take(std::size_t level) {
    return {taken_.at(level)++ % kStreamsPerLevel, level};
}

StreamHandle StreamPool::handle_of(const Stream& stream) {
    return StreamHandle{stream.index * kLevels + stream.level + 1};  // 0 is the default stream
}

}  // namespace highwater
