#include "sim/report/replay_report.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater {
namespace {

StreamNames names_of_all(const HistoryStreams& streams) {
    StreamNames names;
    for (std::uint32_t i = 0; i < streams.size(); ++i) {
        names.push_back({streams.name_of(StreamId{i})});
    }
    return names;
}

FailedOperation failed_request(const ReplayReport& report) {
    FailedOperation failed;
    const std::size_t event = report.what_if->ledger.failure->op;
    failed.text = event == report.replay.recorded.history.first_event
                      ? std::string("at the start of the history")
                      : fmt::format("the request of event {}", event);
    return failed;
}

}  // namespace

std::vector<RecordedOom> recorded_ooms(const Snapshot& snapshot, const HistoryStreams& streams) {
    std::vector<RecordedOom> ooms;
    for (std::size_t i = 0; i < snapshot.events.size(); ++i) {
        const SnapshotEvent event = snapshot.events[i];
        if (event.action == SnapshotEvent::Action::kOom) {
            const StackFrame* owner = owner_frame(snapshot.stacks, event.stack);
            ooms.push_back({i,
                            event.size,
                            Bytes{event.address.value},
                            streams.name_of(streams.id_of(event.stream)),
                            owner == nullptr ? std::string() : frame_text(*owner)});
        }
    }
    return ooms;
}

RunReport as_run(const ReplayReport& report) {
    RunReport run;
    run.scenario = report.file;
    if (!report.conf.empty()) {
        run.parameters = {{"conf", report.conf}};
    }
    run.streams = names_of_all(report.replay.recorded.streams);
    run.ledger = report.replay.ledger;
    return run;
}

std::string names_together(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 4;
    return names.size() <= kMost
               ? fmt::format("{}", fmt::join(names, ", "))
               : fmt::format(
                     "{}, {}, ... {} ({} streams)", names[0], names[1], names.back(), names.size());
}

WhyNames why_names(const ReplayReport& report) {
    const RunReport run = report.what_if ? what_if_as_run(report) : as_run(report);
    std::map<PoolId, std::string> pools;
    for (const PoolRow& row : run.ledger.pools) {
        pools[row.id] = row.name;
    }
    const auto pool_name = [pools](PoolId id) {
        const auto found = pools.find(id);
        return found == pools.end() ? fmt::format("({}, {})", id.first, id.second) : found->second;
    };
    const auto stream_name = [run](StreamId id) { return names_together(names_of(run, id)); };
    return {pool_name, stream_name};
}

bool is_answered(const ReplayReport& report) {
    return !report.replay.departure &&
           report.replay.recorded.history.first_event <= report.events / 2;
}

RunReport what_if_as_run(const ReplayReport& report) {
    RunReport run;
    run.scenario = report.file;
    run.parameters = report.changes;
    run.streams = report.what_if->streams;
    run.ledger = report.what_if->ledger;
    if (run.ledger.failure) {
        run.failed = failed_request(report);
    }
    return run;
}

}  // namespace highwater
