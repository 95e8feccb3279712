#include "sim/hazards/captured_accesses.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace highwater {
namespace {

// What the graph finds from outside: ranges that may overlap, asked for in ascending order.
class Found {
  public:
    explicit Found(const std::vector<RangeAccess>& reads) : reads_(reads) {
        std::ranges::sort(reads_, {}, &RangeAccess::begin);
    }

    bool any_in(Address begin, Address end) {
        for (; next_ < reads_.size() && reads_[next_].begin < end; ++next_) {
            covered_ = std::max(covered_, reads_[next_].end);
        }
        return begin < covered_;
    }

  private:
    std::vector<RangeAccess> reads_;
    std::size_t next_ = 0;
    Address covered_;
};

}  // namespace

void CapturedAccesses::read(const RangeAccess& read,
                            const Clock& known,
                            ShadowMemory::Listener& listener) {
    const auto first = memory_.cells(read.begin, read.end);
    for (auto it = first; it != memory_.all().end() && it->first < read.end; ++it) {
        if (it->second.writes.empty() &&
            known_reads_.emplace(it->first, read.access.instance).second) {
            reads_.push_back({it->first, it->second.end, read.access});
        }
    }
    memory_.read(first, read.end, read.access, known, listener);
}

void CapturedAccesses::write(const RangeAccess& write,
                             const Clock& known,
                             ShadowMemory::Listener& listener) {
    const auto first = memory_.cells(write.begin, write.end);
    memory_.write(first, write.end, write.access, known, listener);
}

GraphEffect CapturedAccesses::effect() {
    GraphEffect effect;
    effect.reads = std::move(reads_);
    Found found(effect.reads);
    for (const auto& [begin, cell] : memory_.all()) {
        if (!cell.writes.empty()) {
            effect.writes.push_back({begin, cell.end, cell.writes.back()});
            effect.writes.back().access.updates = found.any_in(begin, cell.end);
        }
    }
    return effect;
}

}  // namespace highwater
