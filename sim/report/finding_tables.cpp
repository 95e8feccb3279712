#include "sim/report/finding_tables.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

// More hazards than this are counted only.
constexpr std::size_t kMostHazards = 8;

std::string term_name(const DriverTerm& term) {
    return term.name.empty() ? std::string(name_of(term.what)) : term.name;
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
    if (run.ledger.driver.empty()) {
        return {};
    }
    TextTable table({{"beside the allocator", kLeft}, {"bytes"}, {"within"}});
    Bytes total;
    Bytes error;
    for (const DriverTerm& term : run.ledger.driver) {
        table.add_row({term_name(term), size_text(term.bytes), size_text(term.error)});
        total += term.bytes;
        error += term.error;
    }
    table.add_row({"together", size_text(total), size_text(error)});
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
