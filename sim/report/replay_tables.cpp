#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "sim/report/replay_report.hpp"
#include "sim/report/run_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

std::string verdict(const ReplayReport& report) {
    const auto& departure = report.replay.departure;
    const std::size_t left_out = report.replay.recorded.history.first_event;
    if (!departure && left_out > 0) {
        return wrapped(fmt::format(
            "exact: the last {} of {} events and the segments at the end come out of the "
            "allocator's rules; the {} before them do not fit them and are left out",
            grouped(std::uint64_t{report.events - left_out}),
            grouped(std::uint64_t{report.events}),
            grouped(std::uint64_t{left_out})));
    }
    if (!departure) {
        return fmt::format(
            "exact: all {} events and the segments at the end come out of the allocator's rules\n",
            grouped(std::uint64_t{report.events}));
    }
    return fmt::format("not exact from event {} on:\n  expected {}\n  got      {}\n{}",
                       departure->event,
                       departure->expected,
                       departure->got,
                       wrapped("likely: " + departure->reason));
}

std::string oom_text(const ReplayReport& report) {
    if (report.ooms.empty()) {
        return {};
    }
    const RecordedOom& last = report.ooms.back();
    return wrapped(fmt::format(
        "memory ran out {} in the recording, last at event {}: {} on stream {}{}, with {} free on "
        "the device",
        report.ooms.size() == 1 ? std::string("once") : fmt::format("{} times", report.ooms.size()),
        last.event,
        size_text(last.requested),
        last.stream,
        last.owner.empty() ? "" : ", asked for by " + last.owner,
        size_text(last.device_free)));
}

std::string captures_text(const ReplayReport& report) {
    constexpr std::size_t kMost = 12;
    if (report.captures.empty()) {
        return {};
    }
    std::string text = fmt::format(
        "captures, as patterns of requests tell them: {}; all requests of each added up:",
        report.captures.size());
    for (std::size_t i = 0; i < std::min(report.captures.size(), kMost); ++i) {
        text += fmt::format(
            "{} {} {}", i == 0 ? "" : ",", i + 1, size_text(report.captures[i].requested));
    }
    return wrapped(text + (report.captures.size() > kMost ? ", ..." : ""));
}

struct Figure {
    std::string_view name;
    std::uint64_t (*value)(const Ledger&);
    bool is_size = true;
};

constexpr std::array<Figure, 12> kFigures{{
    {"reserved, at the start",
     [](const Ledger& l) { return l.checkpoints.front().stats.reserved_bytes.all.current; }},
    {"reserved, at the end", [](const Ledger& l) { return l.result.reserved_bytes.all.current; }},
    {"reserved, at most", [](const Ledger& l) { return l.result.reserved_bytes.all.peak; }},
    {"allocated, at the end", [](const Ledger& l) { return l.result.allocated_bytes.all.current; }},
    {"allocated, at most", [](const Ledger& l) { return l.result.allocated_bytes.all.peak; }},
    {"active, at the end", [](const Ledger& l) { return l.result.active_bytes.all.current; }},
    {"active, at most", [](const Ledger& l) { return l.result.active_bytes.all.peak; }},
    {"inactive split, at the end",
     [](const Ledger& l) { return l.result.inactive_split_bytes.all.current; }},
    {"segments, at the end", [](const Ledger& l) { return l.result.segment.all.current; }, false},
    {"memory taken (cudaMalloc, map)",
     [](const Ledger& l) { return l.result.num_device_alloc; },
     false},
    {"given back (cudaFree, unmap)",
     [](const Ledger& l) { return l.result.num_device_free; },
     false},
    {"retries after emptying the cache",
     [](const Ledger& l) { return l.result.num_alloc_retries; },
     false},
}};

std::string figure_text(const Figure& figure, std::uint64_t value) {
    return figure.is_size ? size_text(Bytes{value}) : grouped(value);
}

std::string difference_text(std::uint64_t recorded, std::uint64_t changed) {
    const auto difference = static_cast<std::int64_t>(changed - recorded);
    return difference == 0 ? ""
                           : fmt::format("{}{}", difference > 0 ? "+" : "", grouped(difference));
}

std::string figure_table(const Ledger& recorded, const Ledger& changed) {
    TextTable table({{"figure", kLeft},
                     {"recorded"},
                     {changed.failure ? "what if, until it fails" : "what if"},
                     {"difference, exactly"}});
    for (const Figure& figure : kFigures) {
        const std::uint64_t before = figure.value(recorded);
        const std::uint64_t after = figure.value(changed);
        table.add_row({std::string(figure.name),
                       figure_text(figure, before),
                       figure_text(figure, after),
                       difference_text(before, after)});
    }
    return table.text();
}

// High water by pool and by the stream in it.
class PoolTable {
  public:
    explicit PoolTable(const RunReport& recorded) { add(recorded, 0); }

    void add(const RunReport& run, std::size_t column) {
        for (const PoolRow& pool : run.ledger.pools) {
            row({pool.name, ""}).at(column) = pool.high_water;
            for (const PoolStreamRow& stream : pool.streams) {
                const std::string name = names_together(names_of(run, stream.stream));
                row({pool.name, name}).at(column) = stream.high_water;
            }
        }
    }

    std::string text() const {
        TextTable table({{"high water, by pool and stream", kLeft}, {"recorded"}, {"what if"}});
        for (const auto& [name, cells] : sorted()) {
            const auto text = [](const std::optional<Bytes>& size) {
                return size ? size_text(*size) : std::string("-");
            };
            if (!cells[0] && !cells[1]) {
                table.add_row({"  " + name.second, "", ""});
                continue;
            }
            table.add_row({name.second.empty() ? name.first : "  " + name.second,
                           text(cells[0]),
                           text(cells[1])});
        }
        return table.text();
    }

  private:
    using Name = std::pair<std::string, std::string>;
    using Cells = std::array<std::optional<Bytes>, 2>;

    Cells& row(const Name& name) {
        const auto [place, is_new] = places_.try_emplace(name, rows_.size());
        if (is_new) {
            rows_.emplace_back(name, Cells{});
        }
        return rows_[place->second].second;
    }

    // Pools as they came, each with the streams that hold the most, as many as fit a page.
    std::vector<std::pair<Name, Cells>> sorted() const {
        constexpr std::size_t kMostStreams = 8;
        std::vector<std::pair<Name, Cells>> result;
        for (const auto& pool : rows_) {
            if (!pool.first.second.empty()) {
                continue;
            }
            result.push_back(pool);
            std::vector<std::pair<Name, Cells>> streams;
            std::ranges::copy_if(rows_, std::back_inserter(streams), [&pool](const auto& row) {
                return row.first.first == pool.first.first && !row.first.second.empty();
            });
            std::ranges::stable_sort(streams, [](const auto& one, const auto& other) {
                return std::max(one.second[0], one.second[1]) >
                       std::max(other.second[0], other.second[1]);
            });
            const std::size_t hidden = streams.size() - std::min(streams.size(), kMostStreams);
            streams.resize(streams.size() - hidden);
            std::ranges::copy(streams, std::back_inserter(result));
            if (hidden > 0) {
                result.push_back({{pool.first.first, fmt::format("and {} more", hidden)}, {}});
            }
        }
        return result;
    }

    std::map<Name, std::size_t> places_;
    std::vector<std::pair<Name, Cells>> rows_;
};

// As on the command line.
std::string option_text(const Field& change) {
    constexpr std::string_view kBytes = "_bytes";
    std::string name = change.name;
    if (name.ends_with(kBytes)) {
        const auto bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(change.value));
        name.resize(name.size() - kBytes.size());
        return fmt::format("--{} {}", name, size_text(Bytes{bytes}));
    }
    std::ranges::replace(name, '_', '-');
    return std::holds_alternative<bool>(change.value)
               ? fmt::format("--{}", name)
               : fmt::format("--{} {}", name, field_text(change.value));
}

std::string changes_line(const ReplayReport& report) {
    std::string line;
    for (const Field& change : report.changes) {
        line += (line.empty() ? "" : " ") + option_text(change);
    }
    return line;
}

std::string parting_line(const WhatIf& what_if) {
    return what_if.parts_at
               ? fmt::format("other memory is taken or given back from event {} on\n",
                             *what_if.parts_at)
               : std::string("the same memory is taken and given back at every event\n");
}

std::string failure_line(const RunReport& changed) {
    return changed.ledger.failure
               ? wrapped(fmt::format(
                     "{} fails: {}", changed.failed->text, changed.ledger.failure->message))
               : std::string();
}

std::string what_if_text(const ReplayReport& report) {
    const RunReport changed = what_if_as_run(report);
    PoolTable pools(as_run(report));
    pools.add(changed, 1);
    return fmt::format("\nwhat if: {}\n{}{}\n{}\n{}",
                       changes_line(report),
                       failure_line(changed),
                       parting_line(*report.what_if),
                       figure_table(report.replay.ledger, changed.ledger),
                       pools.text());
}

std::string why_text(const ReplayReport& report) {
    const HistoryWhy& why = *report.why;
    const WhyNames names = why_names(report);
    const std::string when =
        why.peak_event ? fmt::format("just before the request of event {} took it to its most",
                                     *why.peak_event)
                       : std::string("at the start, when it was most");
    std::string text = fmt::format("\nwhere memory is {}\n\n{}", when, why_tables(why.peak, names));
    if (why.out_of_memory) {
        text += fmt::format("\nwhere memory is when the request of event {} runs out of it\n\n{}",
                            why.out_of_memory->event,
                            why_tables(why.out_of_memory->why, names));
    }
    return text + fmt::format("\nwhere memory is at the end\n\n{}", why_tables(why.end, names));
}

std::string notes_text(const ReplayReport& report) {
    std::string text;
    for (const std::string& notice : report.notices) {
        text += wrapped("note: " + notice);
    }
    for (std::size_t i = 0; report.what_if && i < report.what_if->notices.size(); ++i) {
        text += wrapped("note: " + report.what_if->notices[i]);
    }
    return text.empty() ? text : '\n' + text;
}

}  // namespace

std::string replay_tables(const ReplayReport& report) {
    std::string text = run_tables(as_run(report)) + '\n' + verdict(report) + oom_text(report) +
                       captures_text(report);
    if (report.what_if) {
        text += what_if_text(report);
    }
    if (report.why) {
        text += why_text(report);
    }
    if (report.advice) {
        text += '\n' + advice_tables(*report.advice);
    }
    return text + notes_text(report);
}

}  // namespace highwater
