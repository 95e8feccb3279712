#include "sim/hazards/captured_accesses.hpp"

#include <iterator>

namespace highwater {

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
    for (const auto& [begin, cell] : memory_.all()) {
        if (!cell.writes.empty()) {
            effect.writes.push_back({begin, cell.end, cell.writes.back()});
        }
    }
    return effect;
}

}  // namespace highwater
