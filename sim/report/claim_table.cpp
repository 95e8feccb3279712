#include "sim/report/claim_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "sim/report/run_tables.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

std::string exact_text(const Value& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? grouped(*whole) : to_text(value);
}

// Of a real ten digits: what arithmetic adds beyond them says nothing.
std::string shown_text(const Claim& claim, const Value& value) {
    const auto* real = std::get_if<double>(&value);
    const bool is_time = claim.measure.ends_with("_ns");
    return real != nullptr && !is_time ? fmt::format("{:.10g}", *real)
                                       : measure_text({claim.measure, value});
}

// Sizes are rounded for people, unless that would hide why a claim does not hold.
std::pair<std::string, std::string> figures(const Claim& claim) {
    const std::string expected = shown_text(claim, claim.expected);
    if (!claim.got) {
        return {expected, "none"};
    }
    const std::string got = shown_text(claim, *claim.got);
    if (!claim.holds && got == expected) {
        return {exact_text(claim.expected), exact_text(*claim.got)};
    }
    return {expected, got};
}

void add_claim(TextTable& table, const Claim& claim, bool has_notes) {
    auto [expected, got] = figures(claim);
    if (claim.within > 0) {
        constexpr double kPercent = 100;
        expected += fmt::format(" +/- {:g}%", kPercent * claim.within);
    }
    std::vector<std::string> cells{claim.with.empty() ? "(defaults)" : with_text(claim),
                                   claim.measure,
                                   expected,
                                   got,
                                   claim.holds ? "yes" : "no"};
    if (has_notes) {
        cells.push_back(claim.note);
    }
    table.add_row(std::move(cells));
}

std::string claim_table(const std::vector<Claim>& claims) {
    const bool has_notes = std::any_of(
        claims.begin(), claims.end(), [](const Claim& claim) { return !claim.note.empty(); });
    std::vector<TextTable::Column> columns{
        {"with", kLeft}, {"measure", kLeft}, {"expected"}, {"got"}, {"holds"}};
    if (has_notes) {
        columns.push_back({"note", kLeft});
    }
    TextTable table(std::move(columns));
    for (const Claim& claim : claims) {
        add_claim(table, claim, has_notes);
    }
    return table.text();
}

}  // namespace

std::string claims_text(const std::vector<Claim>& claims) {
    std::string text = claim_table(claims) + '\n';
    std::size_t held = 0;
    for (const Claim& claim : claims) {
        held += claim.holds ? 1 : 0;
        text += claim.holds ? "" : to_text(claim) + '\n';
    }
    return text + fmt::format("{} of {} claims hold\n", held, claims.size());
}

}  // namespace highwater
