#include "sim/report/time_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

// More than these are summed up in one row.
constexpr std::size_t kMostStreams = 8;
constexpr std::size_t kMostGraphs = 12;

std::size_t shown_of(std::size_t count, std::size_t most) {
    return count > most ? most - 1 : count;
}

// The busiest first, in the Program's order among equals.
void add_streams(TextTable& table, const RunReport& run, Duration elapsed) {
    std::vector<StreamTime> rows = run.ledger.times->streams;
    std::stable_sort(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.busy > b.busy; });
    const std::size_t shown = shown_of(rows.size(), kMostStreams);
    Duration rest{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Duration busy = rows[i].busy;
        if (i < shown) {
            table.add_row({fmt::format("  {}", run.program_streams.at(index_of(rows[i].stream))),
                           time_text(busy),
                           share_text(busy, elapsed)});
        } else {
            rest += busy;
        }
    }
    if (shown < rows.size()) {
        table.add_row({fmt::format("  {} more streams", rows.size() - shown), time_text(rest), ""});
    }
}

std::string per_replay(const GraphRow& row) {
    return row.replays == 0 ? "-"
                            : time_text(row.replay_time / static_cast<std::int64_t>(row.replays));
}

std::string width_text(const GraphRow& row) {
    return (row.is_width_exact ? "" : "<= ") + grouped(std::uint64_t{row.width});
}

void add_graph(TextTable& table, const std::string& name, const GraphRow& row, bool has_times) {
    std::vector<std::string> cells{name,
                                   grouped(std::uint64_t{row.nodes}),
                                   grouped(std::uint64_t{row.edges}),
                                   grouped(std::uint64_t{row.forks}),
                                   grouped(std::uint64_t{row.joins}),
                                   width_text(row),
                                   grouped(row.replays)};
    if (has_times) {
        cells.insert(cells.end(),
                     {time_text(row.capture_time),
                      time_text(row.instantiate_time),
                      per_replay(row),
                      time_text(row.critical_path)});
    }
    table.add_row(std::move(cells));
}

void add(GraphRow& sum, const GraphRow& row) {
    sum.nodes += row.nodes;
    sum.edges += row.edges;
    sum.forks += row.forks;
    sum.joins += row.joins;
    // Of several graphs the widest one's.
    if (row.width > sum.width) {
        sum.width = row.width;
        sum.is_width_exact = row.is_width_exact;
    }
    sum.critical_path = std::max(sum.critical_path, row.critical_path);
    sum.capture_time += row.capture_time;
    sum.instantiate_time += row.instantiate_time;
    sum.replays += row.replays;
    sum.replay_time += row.replay_time;
}

}  // namespace

std::string time_table(const RunReport& run) {
    if (!run.ledger.times || run.ledger.times->streams.empty()) {
        return "";
    }
    const RunTimes& times = *run.ledger.times;
    const Duration elapsed = times.end.time_since_epoch();
    TextTable table({{"what time went to", kLeft}, {"time"}, {"share"}});
    const auto row = [&](const std::string& name, Duration time) {
        table.add_row({name, time_text(time), share_text(time, elapsed)});
    };
    table.add_row({"elapsed", time_text(elapsed), ""});
    row("card busy", times.card_busy);
    add_streams(table, run, elapsed);
    row("card idle, nothing launched yet", times.host_bound);
    row("host waited", times.host_waited);
    return table.text();
}

std::string graph_table(const RunReport& run) {
    const std::vector<GraphRow>& rows = run.ledger.graphs;
    if (rows.empty()) {
        return "";
    }
    const bool has_times = run.ledger.times.has_value();
    std::vector<TextTable::Column> columns{
        {"graph", kLeft}, {"nodes"}, {"edges"}, {"forks"}, {"joins"}, {"width"}, {"replays"}};
    if (has_times) {
        columns.insert(columns.end(),
                       {{"captured in"}, {"instantiated in"}, {"per replay"}, {"critical path"}});
    }
    TextTable table(std::move(columns));
    const std::size_t shown = shown_of(rows.size(), kMostGraphs);
    GraphRow rest;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < shown) {
            add_graph(table, run.graphs.at(index_of(rows[i].graph)), rows[i], has_times);
        } else {
            add(rest, rows[i]);
        }
    }
    if (shown < rows.size()) {
        add_graph(table, fmt::format("{} more graphs", rows.size() - shown), rest, has_times);
    }
    return table.text();
}

}  // namespace highwater
