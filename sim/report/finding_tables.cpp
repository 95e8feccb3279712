#include "sim/report/finding_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

// More hazards than this are counted only.
constexpr std::size_t kMostHazards = 8;

bool has_owner(const DriverTerm& term) {
    return !term.name.empty();
}

std::string term_name(const DriverTerm& term) {
    return has_owner(term) ? fmt::format("{} ({})", term.name, name_of(term.what))
                           : std::string(name_of(term.what));
}

std::string optional_size(const std::optional<Bytes>& size) {
    return size ? size_text(*size) : "not computed";
}

std::string packed_text(const PoolBounds& bounds) {
    const char* const may_be_less = bounds.packed && !bounds.is_packing_optimal ? " or less" : "";
    return optional_size(bounds.packed) + may_be_less;
}

// Reserved over what was needed in the Program's order.
std::string ratio_text(const PoolBounds& bounds) {
    if (bounds.largest_live == Bytes{0}) {
        return "-";
    }
    return fmt::format("{:.2f}",
                       static_cast<double>(bounds.high_water.count) /
                           static_cast<double>(bounds.largest_live.count));
}

}  // namespace

std::string driver_table(const RunReport& run) {
    if (!run.ledger.driver || run.ledger.driver->empty()) {
        return {};
    }
    const std::vector<DriverTerm>& terms = *run.ledger.driver;
    const bool has_owners = std::ranges::any_of(terms, has_owner);
    std::vector<TextTable::Column> columns{{"beside the allocator", kLeft}, {"bytes"}, {"within"}};
    if (has_owners) {
        columns.push_back({"source", kLeft});
    }
    TextTable table(std::move(columns));
    const auto add = [&](const std::string& name, Bytes bytes, Bytes error, const char* source) {
        std::vector<std::string> cells{name, size_text(bytes), size_text(error)};
        if (has_owners) {
            cells.emplace_back(source);
        }
        table.add_row(std::move(cells));
    };
    for (const DriverTerm& term : terms) {
        // Of the others it is the cost profile.
        add(term_name(term), term.bytes, term.error, has_owner(term) ? term.source.c_str() : "");
    }
    add("together", driver_total(run.ledger), driver_error(run.ledger), "");
    return table.text();
}

std::string hazard_list(const RunReport& run) {
    if (run.hazards.empty()) {
        return {};
    }
    std::string text = "hazards\n";
    const std::size_t shown = std::min(run.hazards.size(), kMostHazards);
    for (std::size_t i = 0; i < shown; ++i) {
        const HazardRow& row = run.hazards[i];
        const std::string times = row.count > 1 ? fmt::format(" ({} times)", row.count) : "";
        text += fmt::format("  {}{}\n", row.line, times);
    }
    const std::uint64_t more = run.hazards.size() - shown + run.unlisted_hazards;
    return more == 0 ? text : text + fmt::format("  and {} more\n", more);
}

std::string bounds_table(const RunReport& run) {
    if (run.bounds.empty()) {
        return {};
    }
    TextTable table({{"pool", kLeft},
                     {"high water"},
                     {"live in order"},
                     {"any schedule"},
                     {"packed"},
                     {"high water / live"}});
    for (const PoolBounds& bounds : run.bounds) {
        table.add_row({run.ledger.pools.at(bounds.pool).name,
                       size_text(bounds.high_water),
                       size_text(bounds.largest_live),
                       optional_size(bounds.any_schedule),
                       packed_text(bounds),
                       ratio_text(bounds)});
    }
    return table.text();
}

}  // namespace highwater
