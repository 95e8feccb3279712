#include "sim/report/finding_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/size_text.hpp"
#include "sim/report/stranded_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

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

// The pools that left anything lying when they last grew.
std::vector<const PoolRow*> pools_with_stranded(const RunReport& run) {
    std::vector<const PoolRow*> pools;
    for (const PoolRow& pool : run.ledger.pools) {
        if (pool.last_growth && pool.last_growth->stranded.total() > Bytes{0}) {
            pools.push_back(&pool);
        }
    }
    return pools;
}

// The reasons that any of them has.
std::vector<std::size_t> reasons_of(const std::vector<const PoolRow*>& pools) {
    std::vector<std::size_t> reasons;
    for (std::size_t i = 0; i < kStrandedReasons; ++i) {
        if (std::any_of(pools.begin(), pools.end(), [i](const PoolRow* pool) {
                return pool->last_growth->stranded.by_reason.at(i) > Bytes{0};
            })) {
            reasons.push_back(i);
        }
    }
    return reasons;
}

std::vector<std::string> stranded_cells(const RunReport& run,
                                        const PoolRow& pool,
                                        const std::vector<std::size_t>& reasons) {
    const Growth& growth = *pool.last_growth;
    std::vector<std::string> cells{
        pool.name,
        size_text(growth.requested),
        fmt::format("{}", fmt::join(names_of(run, growth.stream), ", "))};
    for (const std::size_t reason : reasons) {
        const Bytes bytes = growth.stranded.by_reason.at(reason);
        cells.push_back(bytes == Bytes{0} ? "" : size_text(bytes));
    }
    return cells;
}

}  // namespace

std::string stranded_table(const RunReport& run) {
    const std::vector<const PoolRow*> pools = pools_with_stranded(run);
    if (pools.empty()) {
        return {};
    }
    const std::vector<std::size_t> reasons = reasons_of(pools);
    std::vector<TextTable::Column> columns{
        {"free as the pool last grew", kLeft}, {"for"}, {"on stream", kLeft}};
    for (const std::size_t reason : reasons) {
        columns.push_back({std::string(title_of(static_cast<StrandedReason>(reason)))});
    }
    TextTable table(std::move(columns));
    for (const PoolRow* pool : pools) {
        table.add_row(stranded_cells(run, *pool, reasons));
    }
    return table.text();
}

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
