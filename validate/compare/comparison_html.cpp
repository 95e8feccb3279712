#include <fmt/format.h>

#include "validate/compare/overview.hpp"
#include "validate/compare/report_rows.hpp"
#include "validate/compare/reports.hpp"

namespace highwater {
namespace {

constexpr const char* kPageHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Predicted against measured</title>
<style>
:root { color-scheme: light dark; --line: #ccc; --head: #f3f3f3; --out: #b00020; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --head: #222; --out: #ff7a85; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: right; }
th { background: var(--head); }
th.word, td.word { text-align: left; }
tr.out td { color: var(--out); font-weight: 600; }
</style></head><body>
<h1>Predicted against measured</h1>
)";

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

// The first columns are of words.
std::string html_row(const std::vector<std::string>& cells,
                     std::size_t words,
                     const char* tag,
                     bool is_out) {
    std::string row = is_out ? "<tr class=\"out\">" : "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row += fmt::format(
            "<{0}{1}>{2}</{0}>", tag, i < words ? " class=\"word\"" : "", escaped(cells[i]));
    }
    return row + "</tr>\n";
}

std::string html_overview(const std::vector<Comparison>& all) {
    std::string text =
        "<div class=\"wide\"><table>\n" + html_row(overview_titles(), 1, "th", false);
    for (const Comparison& comparison : all) {
        const bool is_out = counts_of(comparison.figures).out > 0;
        text += html_row(cells_of(overview_row(comparison)), 1, "td", is_out);
    }
    return text + "</table></div>\n";
}

std::string html_times(const std::vector<Comparison>& all) {
    std::string text =
        "<h2>Times</h2>\n<div class=\"wide\"><table>\n" + html_row(time_titles(), 2, "th", false);
    for (const std::string& backend : backends_in(all)) {
        for (const TimeRow& row : time_rows_of(all, backend)) {
            text += html_row(cells_of(row, backend), 2, "td", false);
        }
    }
    return text + "</table></div>\n";
}

std::string html_section(const Comparison& comparison) {
    std::string text =
        fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table>\n", escaped(title_of(comparison)));
    text += html_row(
        {"where", "figure", "predicted", "measured", "difference", "verdict"}, 2, "th", false);
    for (const ReportRow& row : report_rows(comparison)) {
        text += html_row(
            {row.place, row.figure, row.predicted, row.measured, row.difference, row.verdict},
            2,
            "td",
            row.is_out);
    }
    text += fmt::format("</table></div>\n<p>{}; {}.</p>\n",
                        escaped(corruption_text(comparison)),
                        counts_text(counts_of(comparison.figures)));
    for (const std::string& notice : comparison.measured.notices) {
        text += fmt::format("<p>Note: {}.</p>\n", escaped(notice));
    }
    return text;
}

}  // namespace

std::string comparisons_html(const std::vector<Comparison>& all) {
    std::string text = kPageHead;
    for (const std::string& paragraph : preface(all)) {
        text += fmt::format("<p>{}</p>\n", escaped(paragraph));
    }
    text += html_overview(all);
    const std::vector<KnownReason> known = known_reasons(all);
    text += known.empty() ? "" : "<h2>Known differences</h2>\n<ul>\n";
    for (const KnownReason& each : known) {
        text += fmt::format(
            "<li>{} (In {} of the runs.)</li>\n", escaped(each.reason), each.runs.size());
    }
    text += known.empty() ? "" : "</ul>\n";
    text += html_times(all);
    for (const Comparison& comparison : all) {
        text += html_section(comparison);
    }
    return text + "</body></html>\n";
}

}  // namespace highwater
