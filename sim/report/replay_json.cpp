#include <nlohmann/json.hpp>

#include "sim/report/replay_report.hpp"
#include "sim/report/run_json.hpp"
#include "sim/report/why_json.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json departure_json(const std::optional<ReplayDeparture>& departure) {
    if (!departure) {
        return nullptr;
    }
    return {{"event", departure->event},
            {"expected", departure->expected},
            {"got", departure->got},
            {"reason", departure->reason}};
}

// Histories have times, but the allocator's rules do not.
Json run_of(const RunReport& run, const std::vector<std::string>& notices) {
    Json json = run_json(run);
    json["notices"] = notices;
    return json;
}

Json captures_json(const std::vector<FoundCapture>& captures) {
    Json rows = Json::array();
    for (const FoundCapture& capture : captures) {
        rows.push_back({{"pool", {capture.pool.first, capture.pool.second}},
                        {"requested_bytes", capture.requested.count}});
    }
    return rows;
}

Json history_why_json(const HistoryWhy& why, const WhyNames& names) {
    return {
        {"peak_event", why.peak_event ? Json(*why.peak_event) : Json(nullptr)},
        {"peak", why_json(why.peak, names)},
        {"out_of_memory_event", why.out_of_memory ? Json(why.out_of_memory->event) : Json(nullptr)},
        {"out_of_memory",
         why.out_of_memory ? Json(why_json(why.out_of_memory->why, names)) : Json(nullptr)},
        {"end", why_json(why.end, names)}};
}

}  // namespace

std::string replay_json_text(const ReplayReport& report) {
    Json json = run_of(as_run(report), report.notices);
    json["events"] = report.events;
    json["events_left_out"] = report.replay.recorded.history.first_event;
    json["exact"] = !report.replay.departure.has_value();
    json["departure"] = departure_json(report.replay.departure);
    if (report.what_if) {
        Json what_if = run_of(what_if_as_run(report), report.what_if->notices);
        what_if["parts_at_event"] =
            report.what_if->parts_at ? Json(*report.what_if->parts_at) : Json(nullptr);
        what_if["captures"] = captures_json(report.what_if->captures);
        json["what_if"] = std::move(what_if);
    }
    if (report.why) {
        json["why"] = history_why_json(*report.why, why_names(report));
    }
    if (report.advice) {
        json["advice"] = advice_json(*report.advice);
    }
    return json_text(json);
}

}  // namespace highwater
