#include "sim/report/run_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "sim/core/printable.hpp"
#include "sim/report/finding_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/report/time_tables.hpp"
#include "sim/report/time_text.hpp"

namespace highwater {
namespace {

constexpr std::size_t kPageWidth = 100;

// More streams of one pool than this are summed up in one row.
constexpr std::size_t kMostStreamsOfPool = 8;

std::string parameters_line(const std::vector<Field>& parameters) {
    std::string line;
    for (const Field& parameter : parameters) {
        line += fmt::format(
            "{}{} {}", line.empty() ? "" : ", ", parameter.name, field_text(parameter.value));
    }
    return line.empty() ? line : wrapped(fmt::format("with {}", line));
}

std::vector<TextTable::Column> checkpoint_columns(bool has_times) {
    std::vector<TextTable::Column> columns{{"checkpoint", kLeft},
                                           {"allocated"},
                                           {"reserved"},
                                           {"active"},
                                           {"inactive split"},
                                           {"peak allocated"},
                                           {"peak reserved"},
                                           {"segments"}};
    if (has_times) {
        columns.insert(columns.begin() + 1, {"time"});
    }
    return columns;
}

std::vector<std::string> checkpoint_cells(const std::string& name, const MemoryStats& stats) {
    return {name,
            size_text(Bytes{stats.allocated_bytes.all.current}),
            size_text(Bytes{stats.reserved_bytes.all.current}),
            size_text(Bytes{stats.active_bytes.all.current}),
            size_text(Bytes{stats.inactive_split_bytes.all.current}),
            size_text(Bytes{stats.allocated_bytes.all.peak}),
            size_text(Bytes{stats.reserved_bytes.all.peak}),
            grouped(stats.segment.all.current)};
}

std::string checkpoint_table(const RunReport& run) {
    const bool has_times = run.ledger.times.has_value();
    TextTable table(checkpoint_columns(has_times));
    const auto add = [&](const std::string& name, Instant time, const MemoryStats& stats) {
        std::vector<std::string> cells = checkpoint_cells(name, stats);
        if (has_times) {
            cells.insert(cells.begin() + 1, time_text(time.time_since_epoch()));
        }
        table.add_row(std::move(cells));
    };
    for (const CheckpointRow& checkpoint : run.ledger.checkpoints) {
        add(checkpoint.name, checkpoint.time, checkpoint.stats);
    }
    const auto& checkpoints = run.ledger.checkpoints;
    if (checkpoints.empty() || checkpoints.back().stats != run.ledger.result) {
        add("(end)", has_times ? run.ledger.times->end : Instant{}, run.ledger.result);
    }
    return table.text();
}

void add_stream(TextTable& table, const RunReport& run, const PoolStreamRow& row) {
    table.add_row({fmt::format("  {}", fmt::join(names_of(run, row.stream), ", ")),
                   "",
                   size_text(row.reserved),
                   size_text(row.high_water),
                   ""});
}

// Streams that hold the most come first, in the order of the ledger among equals.
void add_streams(TextTable& table, const RunReport& run, std::vector<PoolStreamRow> rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.high_water > b.high_water;
    });
    const std::size_t shown =
        rows.size() > kMostStreamsOfPool ? kMostStreamsOfPool - 1 : rows.size();
    PoolStreamRow rest;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < shown) {
            add_stream(table, run, rows[i]);
        } else {
            rest.reserved += rows[i].reserved;
            rest.high_water += rows[i].high_water;
        }
    }
    if (shown < rows.size()) {
        table.add_row({fmt::format("  {} more streams", rows.size() - shown),
                       "",
                       size_text(rest.reserved),
                       size_text(rest.high_water),
                       ""});
    }
}

std::string pool_table(const RunReport& run) {
    TextTable table(
        {{"pool and its streams", kLeft}, {"id"}, {"reserved"}, {"high water"}, {"allocated"}});
    for (const PoolRow& pool : run.ledger.pools) {
        table.add_row({pool.name,
                       fmt::format("({}, {})", pool.id.first, pool.id.second),
                       size_text(pool.reserved),
                       size_text(pool.high_water),
                       size_text(pool.allocated)});
        add_streams(table, run, pool.streams);
    }
    return table.text();
}

// Of a bucket's rows, the share that was computed for nothing.
std::string waste_text(const ServedBucket& row) {
    constexpr double kPercent = 100;
    const std::int64_t computed = row.rows + row.padding;
    return computed == 0 ? ""
                         : fmt::format("{:.1f} %",
                                       kPercent * static_cast<double>(row.padding) /
                                           static_cast<double>(computed));
}

std::string served_table(const RunReport& run) {
    const bool has_times = !run.padding_times.empty();
    std::vector<TextTable::Column> columns{
        {"bucket", kLeft}, {"batches"}, {"rows"}, {"padding"}, {"wasted"}};
    if (has_times) {
        columns.push_back({"time wasted"});
    }
    TextTable table(std::move(columns));
    for (std::size_t i = 0; i < run.served.size(); ++i) {
        const ServedBucket& row = run.served[i];
        std::vector<std::string> cells{
            row.bucket ? grouped(static_cast<std::uint64_t>(*row.bucket)) : "eager",
            grouped(static_cast<std::uint64_t>(row.batches)),
            grouped(static_cast<std::uint64_t>(row.rows)),
            grouped(static_cast<std::uint64_t>(row.padding)),
            waste_text(row)};
        if (has_times) {
            cells.push_back(run.padding_times[i] ? time_text(*run.padding_times[i]) : "-");
        }
        table.add_row(std::move(cells));
    }
    return table.text();
}

std::string measure_table(const RunReport& run) {
    TextTable table({{"measure", kLeft}, {"value"}, {"exactly"}});
    for (const Field& measure : run.measures) {
        const auto* whole = std::get_if<std::int64_t>(&measure.value);
        table.add_row({measure.name,
                       measure_text(measure),
                       whole != nullptr ? grouped(*whole) : field_text(measure.value)});
    }
    for (const std::string& name : run.unknown_measures) {
        table.add_row({name, "-", "-"});
    }
    return table.text();
}

// Whether a row shows memory without segments.
bool has_expandable_segments(const Ledger& ledger) {
    const auto shows = [](const MemoryStats& stats) {
        return stats.segment.all.current == 0 && stats.reserved_bytes.all.current > 0;
    };
    return shows(ledger.result) || std::any_of(ledger.checkpoints.begin(),
                                               ledger.checkpoints.end(),
                                               [&shows](const CheckpointRow& checkpoint) {
                                                   return shows(checkpoint.stats);
                                               });
}

// Where times come from.
std::string time_footnote(const RunReport& run) {
    if (!run.costs) {
        return "";
    }
    const std::string unstated = unstated_work_text(run);
    return wrapped(
        fmt::format("times are approximate, as measured on {} (cost profile {}){}{}",
                    run.costs->measured_on,
                    run.costs->profile,
                    run.costs->is_of_another_card ? "; the device is another card than that" : "",
                    unstated.empty() ? "" : "; " + unstated));
}

std::string notice(const std::string& text) {
    return text.empty() ? text : wrapped("notice: " + text);
}

std::string footnotes(const RunReport& run) {
    const std::string notes =
        notice(untimed_text(run.untimed)) + notice(run.first_retry) + time_footnote(run) +
        peaks_footnote(run) +
        (has_expandable_segments(run.ledger)
             ? "expandable segments are not counted as segments, as in PyTorch\n"
             : "");
    return notes.empty() ? notes : '\n' + notes;
}

// Whole nanoseconds, also of a mean.
std::optional<Duration> time_of(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return Duration{*whole};
    }
    const auto* real = std::get_if<double>(&value);
    constexpr double kMost = 1e18;
    return real != nullptr && std::abs(*real) < kMost ? std::optional(Duration{std::llround(*real)})
                                                      : std::nullopt;
}

std::string place_of(const Failure& failure, const FailedOperation& failed) {
    return failed.place ? place_text(*failed.place) : fmt::format("operation {}", failure.op);
}

// The message with CUDA's name and number, if it does not say them, and what to do.
std::string why(const Failure& failure, const FailedOperation& failed) {
    std::string text = failure.message;
    const std::string_view name = failure.cuda_error ? name_of(*failure.cuda_error) : "";
    if (failure.cuda_error && text.find(name) == std::string::npos) {
        text += fmt::format(" ({}, {})", name, static_cast<int>(*failure.cuda_error));
    }
    if (failed.cause) {
        const auto& [place, operation] = *failed.cause;
        text += place ? fmt::format("; that was at {}, `{}`", place_text(*place), operation)
                      : fmt::format("; that was operation {}, `{}`", *failure.cause, operation);
    }
    return failure.remedy.empty() ? text : fmt::format("{}; {}", text, failure.remedy);
}

}  // namespace

std::string wrapped(const std::string& text) {
    std::string lines;
    std::size_t width = 0;
    std::istringstream words(text);
    for (std::string word; words >> word; width += word.size() + 1) {
        word = printable(word);
        const bool fits = width + word.size() <= kPageWidth;
        lines += width == 0 ? "" : fits ? " " : "\n";
        width = fits ? width : 0;
        lines += word;
    }
    return lines.empty() ? lines : lines + '\n';
}

std::string heading(const RunReport& run) {
    return fmt::format("{}\n{}", printable(run.scenario), wrapped(run.description));
}

std::string measure_text(const Field& measure) {
    const auto* whole = std::get_if<std::int64_t>(&measure.value);
    if (measure.name.ends_with("_ns")) {
        if (const std::optional<Duration> time = time_of(measure.value)) {
            return time_text(*time);
        }
    }
    if (whole == nullptr) {
        return field_text(measure.value);
    }
    return measure.name.ends_with("_bytes") ? size_text(*whole) : grouped(*whole);
}

std::string failure_text(const RunReport& run) {
    const Failure& failure = run.ledger.failure.value();
    const FailedOperation& failed = run.failed.value();
    return fmt::format("{}: the program would stop here: {}: {}\n",
                       place_of(failure, failed),
                       failed.text,
                       why(failure, failed));
}

std::string caught_text(const RunReport& run) {
    std::string text;
    for (std::size_t i = 0; i < run.caught.size(); ++i) {
        const Failure& failure = run.ledger.caught.at(i);
        text += fmt::format("{}: `{}` caught: {}: {}\n",
                            place_of(failure, run.caught[i]),
                            failure.tried,
                            run.caught[i].text,
                            why(failure, run.caught[i]));
    }
    return text;
}

std::string peaks_footnote(const RunReport& run) {
    return run.were_peaks_reset ? "peaks count from the last reset_peaks\n" : "";
}

std::string run_tables(const RunReport& run) {
    std::string text = heading(run);
    text += parameters_line(run.parameters) + '\n';
    text += checkpoint_table(run) + '\n';
    text += pool_table(run);
    for (const std::string& table : {stranded_table(run),
                                     bounds_table(run),
                                     graph_table(run),
                                     time_table(run),
                                     driver_table(run)}) {
        text += table.empty() ? table : '\n' + table;
    }
    if (!run.served.empty()) {
        text += '\n' + served_table(run);
    }
    if (!run.measures.empty() || !run.unknown_measures.empty()) {
        text += '\n' + measure_table(run);
    }
    text += footnotes(run);
    if (!run.hazards.empty()) {
        text += '\n' + hazard_list(run);
    }
    if (!run.caught.empty()) {
        text += '\n' + caught_text(run);
    }
    if (run.ledger.failure) {
        text += '\n' + failure_text(run);
    }
    return text;
}

}  // namespace highwater
