#include "sim/engine/time_rows.hpp"

namespace highwater {

std::vector<GraphRow> graph_rows(const Executor& executor) {
    std::vector<GraphRow> rows;
    for (std::size_t i = 0; i < executor.captured().size(); ++i) {
        const CapturedGraph& captured = executor.captured()[i];
        const Timeline::GraphRuns runs = executor.timeline().graph_runs(i);
        rows.push_back({captured.graph,
                        captured.shape.nodes,
                        captured.shape.edges,
                        captured.shape.forks,
                        captured.shape.joins,
                        captured.width.nodes,
                        captured.width.is_exact,
                        captured.critical_path,
                        captured.driver,
                        captured.capture_time,
                        captured.instantiate_time,
                        runs.count,
                        runs.time});
    }
    return rows;
}

RunTimes run_times(const Program& program, const Timeline& timeline) {
    RunTimes times{
        timeline.end(), timeline.busy(), timeline.host_bound(), timeline.host_waited(), {}};
    for (std::uint32_t i = 0; i < program.streams.size(); ++i) {
        const Duration busy = timeline.busy(StreamId{i});
        if (busy > Duration{}) {
            times.streams.push_back({StreamId{i}, busy});
        }
    }
    return times;
}

}  // namespace highwater
