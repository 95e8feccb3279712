#include "sim/snapshot/departure_reason.hpp"

#include <fmt/format.h>

namespace highwater {
namespace {

using Action = SnapshotEvent::Action;

constexpr const char* kHiddenSettings =
    "settings that files do not tell (large_segment_size_mb and max_non_split_rounding_mb set at "
    "run time)";

bool takes(std::size_t kind) {
    return kind == index_of(Action::kSegmentAlloc) || kind == index_of(Action::kSegmentMap);
}
bool gives_back(std::size_t kind) {
    return kind == index_of(Action::kSegmentFree) || kind == index_of(Action::kSegmentUnmap);
}

std::string of_allocation(std::size_t expected, std::size_t got) {
    if (takes(expected) && takes(got)) {
        return expected == got
                   ? fmt::format("a segment of another size: {}", kHiddenSettings)
                   : std::string("expandable_segments was switched while the program ran");
    }
    if (takes(expected)) {
        return "a cached block would have done: it belongs to another pool than it seems, or other "
               "settings were in force";
    }
    if (takes(got)) {
        return fmt::format(
            "no cached block that fits is known: {}, or a change that the history "
            "does not show",
            kHiddenSettings);
    }
    return "another free block is the least that fits: other settings were in force, the pool does "
           "not split (MemPool's no_split), or blocks from before the history are larger than "
           "assumed";
}

}  // namespace

std::string departure_reason(const RecordedHistory& recorded,
                             const SnapshotEvent& expected,
                             const TraceEvent* got) {
    const std::size_t wanted = index_of(expected.action);
    std::string reason;
    if (gives_back(wanted)) {
        reason = "the memory is not free by the rules: a free is missing from the history";
    } else if (got == nullptr) {
        reason = "the history shows it without what leads to it";
    } else {
        reason = of_allocation(wanted, index_of(got->kind));
    }
    if (recorded.settings == AllocatorSettings()) {
        reason += "; the file names no settings, so PyTorch's defaults are assumed";
    }
    return reason;
}

}  // namespace highwater
