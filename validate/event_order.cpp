#include "validate/event_order.hpp"

#include <algorithm>
#include <cstddef>

namespace highwater {
namespace {

using Kind = TraceEvent::Kind;
using Events = std::vector<TraceEvent>;

bool completes(const TraceEvent& event) {
    return event.kind == Kind::kFreeCompleted;
}
bool releases(const TraceEvent& event) {
    return event.kind == Kind::kSegmentFree || event.kind == Kind::kSegmentUnmap;
}

// Events of [from, to) that move as one, starting at `from`.
using UnitEnd = Events::iterator (*)(Events::iterator from, Events::iterator to);

Events::iterator one_event(Events::iterator from, Events::iterator) {
    return from + 1;
}

Events::iterator one_pool(Events::iterator from, Events::iterator to) {
    return std::find_if(from, to, [from](const TraceEvent& e) { return e.pool != from->pool; });
}

// Moves whole units within [run, end) so that each starts where the recording has its first event.
void follow(Events::iterator run,
            Events::iterator end,
            std::span<const TraceEvent> recorded,
            UnitEnd unit_end) {
    for (const TraceEvent* next = recorded.data(); run != end;) {
        const auto unit =
            std::find_if(run, end, [next](const TraceEvent& e) { return same_event(*next, e); });
        if (unit == end) {
            return;
        }
        const auto after = unit_end(unit, end);
        const auto length = after - unit;
        std::rotate(run, unit, after);
        run += length;
        next += length;
    }
}

void reorder_runs(Events& events,
                  std::span<const TraceEvent> recorded,
                  bool (*in_run)(const TraceEvent&),
                  UnitEnd unit_end) {
    for (auto run = events.begin(); run != events.end();) {
        run = std::find_if(run, events.end(), in_run);
        const auto end = std::find_if_not(run, events.end(), in_run);
        const auto offset = static_cast<std::size_t>(run - events.begin());
        const auto length = static_cast<std::size_t>(end - run);
        if (length > 1 && offset + length <= recorded.size()) {
            follow(run, end, recorded.subspan(offset, length), unit_end);
        }
        run = end;
    }
}

}  // namespace

bool same_event(const TraceEvent& recorded, const TraceEvent& simulated) {
    return recorded.kind == simulated.kind && recorded.stream == simulated.stream &&
           recorded.size == simulated.size &&
           (recorded.kind == Kind::kOom || recorded.address == simulated.address);
}

std::vector<TraceEvent> in_recorded_order(std::span<const TraceEvent> simulated,
                                          std::span<const TraceEvent> recorded) {
    Events events(simulated.begin(), simulated.end());
    reorder_runs(events, recorded, completes, one_event);
    reorder_runs(events, recorded, releases, one_pool);
    return events;
}

}  // namespace highwater
