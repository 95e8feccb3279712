#include "sim/scenario/result/graph_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace highwater {
namespace {

bool stands_for(const std::string& name, const std::string& one) {
    return one == name || one.starts_with(name + "[") || one.starts_with(name + ".");
}

struct Sums {
    std::int64_t graphs = 0;
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
    /// Of the widest.
    std::int64_t width = 0;
    std::int64_t replays = 0;
    Duration replayed{};
    Duration captured{};
    Duration instantiated{};
};

Sums sums_of(const Program& program, const Ledger& ledger, const std::string& graph) {
    Sums sums;
    for (const GraphRow& row : ledger.graphs) {
        if (stands_for(graph, program.graphs.at(index_of(row.graph)))) {
            ++sums.graphs;
            sums.nodes += static_cast<std::int64_t>(row.nodes);
            sums.edges += static_cast<std::int64_t>(row.edges);
            sums.width = std::max(sums.width, static_cast<std::int64_t>(row.width));
            sums.replays += static_cast<std::int64_t>(row.replays);
            sums.replayed += row.replay_time;
            sums.captured += row.capture_time;
            sums.instantiated += row.instantiate_time;
        }
    }
    return sums;
}

}  // namespace

std::optional<Value> find_graph_figure(const Program& program,
                                       const Ledger& ledger,
                                       std::string_view figure,
                                       const std::string& graph) {
    const Sums sums = sums_of(program, ledger, graph);
    if (sums.graphs == 0) {
        return std::nullopt;
    }
    if (figure == "nodes") {
        return sums.nodes;
    }
    if (figure == "edges") {
        return sums.edges;
    }
    if (figure == "width_of") {
        return sums.width;
    }
    if (figure == "replays") {
        return sums.replays;
    }
    if (figure == "replay_ns") {
        return sums.replays == 0 ? 0 : std::int64_t{sums.replayed.count() / sums.replays};
    }
    if (figure == "capture_ns") {
        return std::int64_t{sums.captured.count()};
    }
    return figure == "instantiate_ns"
               ? std::optional<Value>(std::int64_t{sums.instantiated.count()})
               : std::nullopt;
}

// A batch replays each graph of a capture in segments once.
std::optional<Duration> padding_time(const Program& program,
                                     const Ledger& ledger,
                                     const ServedBucket& row) {
    const std::int64_t computed = row.rows + row.padding;
    if (!ledger.times || row.graph.empty() || computed == 0) {
        return std::nullopt;
    }
    const Sums sums = sums_of(program, ledger, row.graph);
    if (sums.replays == 0) {
        return std::nullopt;
    }
    const auto segments = std::max<std::int64_t>(
        1, std::count_if(program.graphs.begin(), program.graphs.end(), [&](const auto& name) {
            return name.starts_with(row.graph + "[");
        }));
    const double replays = static_cast<double>(row.batches * segments);
    const double each = static_cast<double>(sums.replayed.count()) / double(sums.replays);
    return Duration{std::llround(replays * each * double(row.padding) / double(computed))};
}

std::optional<Value> find_busy_time(const Program& program,
                                    const Ledger& ledger,
                                    const std::string& stream) {
    bool is_known = false;
    Duration busy{};
    for (const StreamEntry& each : program.streams) {
        is_known = is_known || stands_for(stream, each.name);
    }
    if (!is_known) {
        return std::nullopt;
    }
    if (ledger.times) {
        for (const StreamTime& row : ledger.times->streams) {
            const std::string& name = program.streams.at(index_of(row.stream)).name;
            busy += stands_for(stream, name) ? row.busy : Duration{};
        }
    }
    return std::int64_t{busy.count()};
}

}  // namespace highwater
