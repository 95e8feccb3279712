#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"
#include "sim/scenario/expression/value.hpp"
#include "sim/scenario/lower/serving.hpp"

namespace highwater {

/// A figure of the graphs that a name stands for: of `graph`, `graph[8]` and `graph[8][0]`, too,
/// and of their later captures. Nodes, edges, replays and the times of captures are added up,
/// `replay_ns` is the mean of the replays that are done, `width_of` the greatest. None if no such
/// graph was captured.
std::optional<Value> find_graph_figure(const Program& program,
                                       const Ledger& ledger,
                                       std::string_view figure,
                                       const std::string& graph);

/// How long replays ran for rows that were padding: the replays of the bucket's batches, times the
/// share of their rows. None for what ran eagerly, and where nothing was replayed or no time
/// passes.
std::optional<Duration> padding_time(const Program& program,
                                     const Ledger& ledger,
                                     const ServedBucket& row);

/// How long the streams that a name stands for were at work in all: `aux` is `aux[0]` and the
/// others. None if the Program has no such stream.
std::optional<Value> find_busy_time(const Program& program,
                                    const Ledger& ledger,
                                    const std::string& stream);

}  // namespace highwater
