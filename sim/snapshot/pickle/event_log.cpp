#include "sim/snapshot/pickle/event_log.hpp"

#include <algorithm>
#include <utility>

namespace highwater::pickle {
namespace {

constexpr std::size_t kFirstPiece = 1U << 10U;
constexpr std::size_t kGrowth = 8;
// 32 MiB: so large that the C library gives it back to the system when it is freed.
constexpr std::size_t kLargestPiece = 1U << 19U;

}  // namespace

void EventLog::add(const SnapshotEvent& event) {
    if (pieces_.empty() || pieces_.back().size() == pieces_.back().capacity()) {
        const std::size_t last = pieces_.empty() ? 0 : pieces_.back().capacity();
        pieces_.emplace_back();
        pieces_.back().reserve(std::clamp(kGrowth * last, kFirstPiece, kLargestPiece));
    }
    pieces_.back().push_back(event);
    ++size_;
}

std::vector<SnapshotEvent> EventLog::take(std::size_t first, std::size_t count) && {
    if (pieces_.size() == 1 && count == size_) {
        return std::move(pieces_.front());
    }
    std::vector<SnapshotEvent> result;
    result.reserve(count);
    for (std::vector<SnapshotEvent>& piece : pieces_) {
        const std::size_t begin = std::min(first, piece.size());
        const std::size_t end = std::min(begin + count, piece.size());
        result.insert(result.end(),
                      piece.begin() + static_cast<std::ptrdiff_t>(begin),
                      piece.begin() + static_cast<std::ptrdiff_t>(end));
        first -= begin;
        count -= end - begin;
        std::vector<SnapshotEvent>().swap(piece);
    }
    pieces_.clear();
    size_ = 0;
    return result;
}

}  // namespace highwater::pickle
