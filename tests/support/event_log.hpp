#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/trace_event.hpp"

namespace highwater {

/// The letter by which recordings name a kind of event: a q c S F M U O.
inline char letter_of(TraceEvent::Kind kind) {
    return std::string_view("aqcSFMUO")[static_cast<std::size_t>(kind)];
}

/// Keeps all events.
class EventLog : public TraceSink {
  public:
    void take(const TraceEvent& event) override { events.push_back(event); }

    /// The kinds in order, by their letters.
    std::string letters() const {
        std::string result;
        for (const TraceEvent& event : events) {
            result += letter_of(event.kind);
        }
        return result;
    }

    std::vector<TraceEvent> events;
};

}  // namespace highwater
