#include "sim/cli/analyses.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/capture/graph_dot.hpp"
#include "sim/capture/node_kind.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/pool_lifetimes.hpp"
#include "sim/report/operation_text.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "sim/snapshot/snapshot_of.hpp"
#include "sim/snapshot/write_pickle.hpp"

namespace highwater {
namespace {

std::string graphs_there_are(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    if (names.empty()) {
        return "capture one";
    }
    const std::vector<std::string> shown(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
    const std::string rest =
        names.size() > kMost ? fmt::format(" or {} more", names.size() - kMost) : "";
    return fmt::format("choose one of `{}`{}", fmt::join(shown, "`, `"), rest);
}

std::size_t find_graph(const Point& point, const std::string& name) {
    const std::vector<GraphRow>& rows = point.report.ledger.graphs;
    std::vector<std::string> names;
    for (const GraphRow& row : rows) {
        names.push_back(point.program.graphs.at(index_of(row.graph)));
    }
    const auto found = name.empty() ? names.begin() : std::ranges::find(names, name);
    if (found == names.end()) {
        const std::string problem = name.empty()
                                        ? "no graph was captured"
                                        : fmt::format("no graph `{}` was captured", quoted(name));
        throw InputError({name.empty() ? "--dot" : "--graph"}, problem, graphs_there_are(names));
    }
    return static_cast<std::size_t>(found - names.begin());
}

std::size_t find_pool(const Point& point, const std::string& name) {
    const std::vector<PoolRow>& pools = point.report.ledger.pools;
    const auto found = name.empty() ? std::ranges::max_element(pools, {}, &PoolRow::high_water)
                                    : std::ranges::find(pools, name, &PoolRow::name);
    if (found == pools.end()) {
        std::vector<std::string> names;
        for (const PoolRow& pool : pools) {
            names.push_back(pool.name);
        }
        throw InputError({"--pool"},
                         fmt::format("no pool `{}`", quoted(name)),
                         suggestion(name, names, "leave it out"));
    }
    return static_cast<std::size_t>(found - pools.begin());
}

}  // namespace

std::string graph_dot(const Point& point, const std::string& graph) {
    const CaptureGraph& found = point.graphs.at(find_graph(point, graph));
    return to_dot(found, [&](GraphVertex node) {
        const std::size_t op = found[node].op;
        const auto& places = point.program.places;
        const std::string label = op < places.size() ? places.label(op) : std::string();
        return fmt::format("{}: {}{}{}",
                           node,
                           label,
                           label.empty() ? "" : ": ",
                           operation_text(point.program, point.program.ops.at(op)));
    });
}

std::string lifetimes_csv(const Point& point, const std::string& pool) {
    const std::size_t found = find_pool(point, pool);
    return to_minimalloc_csv(
        pool_lifetimes(point.program, point.report.ledger).at(found).lifetimes);
}

std::string snapshot_pickle(const Point& point) {
    if (point.history.settings.backend == AllocatorBackend::kCudaMallocAsync) {
        throw InputError({"--snapshot"},
                         "with the backend cudaMallocAsync PyTorch takes no memory snapshots",
                         "use the native backend, or `--memory` for memory against time");
    }
    std::vector<StreamHandle> handles;
    for (const StreamEntry& stream : point.program.streams) {
        handles.push_back(stream.handle);
    }
    const RunHistory& history = point.history;
    const SimulatedMemory memory{
        point.report.ledger.segments, history.events, history.times, history.settings, handles};
    return to_pickle(snapshot_of(memory, point.report.scenario));
}

}  // namespace highwater
