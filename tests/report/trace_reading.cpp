#include "tests/report/trace_reading.hpp"

#include <cmath>
#include <utility>

namespace highwater::trace_reading {
namespace {

using TrackKey = std::pair<int, int>;

// Slices of one track that are open at its latest moment, by their ends.
class OpenSlices {
  public:
    // Whether the slice begins no earlier than the one before, and ends within what it lies in.
    bool takes(std::int64_t begin, std::int64_t end) {
        const bool in_order = begin >= last_;
        last_ = begin;
        while (!ends_.empty() && ends_.back() <= begin) {
            ends_.pop_back();
        }
        const bool nested = ends_.empty() || end <= ends_.back();
        ends_.push_back(end);
        return in_order && nested;
    }

  private:
    std::int64_t last_ = 0;
    std::vector<std::int64_t> ends_;
};

}  // namespace

std::int64_t ns(const Json& microseconds) {
    return std::llround(microseconds.get<double>() * 1000);
}

std::vector<Json> events(const Json& trace, int group, const std::string& phase) {
    std::vector<Json> found;
    for (const Json& event : trace["traceEvents"]) {
        if (event["pid"] == group && event["ph"] == phase) {
            found.push_back(event);
        }
    }
    return found;
}

std::vector<std::string> names(const std::vector<Json>& all) {
    std::vector<std::string> result;
    for (const Json& event : all) {
        result.push_back(event["name"]);
    }
    return result;
}

std::string track_name(const Json& trace, int group, int number) {
    for (const Json& event : trace["traceEvents"]) {
        if (event["name"] == "thread_name" && event["pid"] == group && event["tid"] == number) {
            return event["args"]["name"];
        }
    }
    return "";
}

std::string misplaced(const Json& trace) {
    std::map<TrackKey, OpenSlices> tracks;
    std::map<std::string, std::int64_t> counters;
    std::map<TrackKey, bool> is_named;
    for (const Json& event : trace["traceEvents"]) {
        const TrackKey key{event["pid"], event["tid"]};
        const std::string phase = event["ph"];
        if (phase == "M") {
            is_named[key] |= event["name"] == "thread_name";
            continue;
        }
        const std::int64_t begin = ns(event["ts"]);
        if (phase == "C") {
            std::int64_t& last = counters[event["name"]];
            if (begin < std::exchange(last, begin)) {
                return event.dump();
            }
            continue;
        }
        const std::int64_t duration = phase == "X" ? ns(event["dur"]) : 0;
        if (duration < 0 || !is_named[key] || !tracks[key].takes(begin, begin + duration)) {
            return event.dump();
        }
    }
    return "";
}

std::map<std::string, Json> last_counters(const Json& trace, int group) {
    std::map<std::string, Json> last;
    for (const Json& event : events(trace, group, "C")) {
        last[event["name"]] = event["args"];
    }
    return last;
}

}  // namespace highwater::trace_reading
