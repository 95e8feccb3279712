// A replayed history as a trace for Perfetto.
#include "sim/report/history_trace.hpp"

#include <map>

#include "sim/snapshot/read_snapshot.hpp"
#include "tests/report/trace_reading.hpp"
#include "tests/support/catch.hpp"

namespace highwater {

namespace {

using trace_reading::Json;

Json trace_of(const std::string& name, const Changes& changes) {
    const Snapshot snapshot = read_snapshot(HIGHWATER_SOURCE_DIR "/tests/recorded/" + name, {}, {});
    std::string text;
    write_history_trace(
        snapshot, replay(snapshot), changes, [&text](std::string_view part) { text += part; });
    return Json::parse(text);
}

constexpr int kCaptureTracks = 1;
constexpr int kMemoryTracks = 3;

std::map<std::string, Json> last_counters(const Json& trace) {
    return trace_reading::last_counters(trace, kMemoryTracks);
}

std::vector<std::string> captures(const Json& trace) {
    return trace_reading::names(trace_reading::events(trace, kCaptureTracks, "X"));
}

}  // namespace

TEST_CASE("a history's trace ends with the memory that its file ends with", "[history_trace]") {
    const Json trace = trace_of("snapshots/small.pickle", {});
    const auto counters = last_counters(trace);
    std::uint64_t reserved = 0;
    for (const auto& [pool, args] : counters) {
        reserved += args["reserved"].get<std::uint64_t>();
    }
    CHECK(counters.size() == 2);
    CHECK(reserved == std::uint64_t{164} << 20U);
    CHECK(captures(trace) == std::vector<std::string>{"capture 1", "capture 2", "capture 3"});
    CHECK(trace_reading::misplaced(trace).empty());
}

TEST_CASE("a history's trace never goes back in time, and says who asked", "[history_trace]") {
    const Json trace = trace_of("snapshots/small.pickle", {});
    double last = 0;
    std::size_t with_owner = 0;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "i" || event["ph"] == "C") {
            CHECK(event["ts"].get<double>() >= last);
            last = event["ts"];
        }
        with_owner += event["ph"] == "i" && event["args"].contains("by") ? 1U : 0U;
    }
    CHECK(last > 0);
    CHECK(with_owner > 0);
    CHECK(!trace["otherData"].contains("time"));
}

TEST_CASE("a history without times takes a microsecond a request", "[history_trace]") {
    Changes changes;
    changes.conf = "expandable_segments:True";
    const Json trace = trace_of("models/cap-asc.jsonl.gz", changes);
    CHECK(trace["otherData"]["time"].get<std::string>().find("logical") == 0);
    CHECK(captures(trace).size() == 6);
    CHECK(trace_reading::misplaced(trace).empty());
    std::uint64_t reserved = 0;
    for (const auto& [pool, args] : last_counters(trace)) {
        reserved += args["reserved"].get<std::uint64_t>();
    }
    CHECK(reserved == std::uint64_t{1968} << 20U);
}

}  // namespace highwater
