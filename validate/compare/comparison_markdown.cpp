#include <fmt/format.h>
#include <fmt/ranges.h>

#include "validate/compare/overview.hpp"
#include "validate/compare/report_rows.hpp"
#include "validate/compare/reports.hpp"

namespace highwater {
namespace {

// A page for people has few of a run that has more rows than anybody reads.
constexpr std::size_t kMostMarkdownRows = 400;
constexpr std::size_t kRowsOfMany = 40;

// A bar would end the cell.
std::string markdown_cell(const std::string& text) {
    std::string cell;
    for (const char c : text) {
        if (c == '|' || c == '<' || c == '\\' || c == '`' || c == '*') {
            cell += '\\';
        }
        cell += c;
    }
    return cell;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += " " + markdown_cell(cell) + " |";
    }
    return row + "\n";
}

// The first columns are of words.
std::string markdown_head(const std::vector<std::string>& titles, std::size_t words) {
    std::string rule = "|";
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const bool is_word = i < words || titles[i] == "verdict";
        rule += is_word ? "---|" : "--:|";
    }
    return markdown_row(titles) + rule + "\n";
}

std::string markdown_section(const Comparison& comparison) {
    std::string text = fmt::format("\n<details><summary>{}</summary>\n\n", title_of(comparison));
    text += markdown_head({"where", "figure", "predicted", "measured", "difference", "verdict"}, 2);
    // What is equal is counted below; what is not is what people look for.
    std::vector<ReportRow> rows = report_rows(comparison);
    std::erase_if(rows, [](const ReportRow& row) { return row.verdict == "equal"; });
    const std::size_t shown = rows.size() > kMostMarkdownRows ? kRowsOfMany : rows.size();
    for (std::size_t i = 0; i < shown; ++i) {
        const ReportRow& row = rows[i];
        text += markdown_row(
            {row.place, row.figure, row.predicted, row.measured, row.difference, row.verdict});
    }
    if (shown < rows.size()) {
        text += fmt::format("\n{} rows more are left out here; `--json` has them.\n",
                            rows.size() - shown);
    }
    text += fmt::format(
        "\n{}; {}.\n", corruption_text(comparison), counts_text(counts_of(comparison.figures)));
    for (const std::string& notice : comparison.measured.notices) {
        text += fmt::format("\nNote: {}.\n", notice);
    }
    return text + "\n</details>\n";
}

std::string markdown_times(const std::vector<Comparison>& all) {
    std::string text = "\n## Times\n\n" + markdown_head(time_titles(), 2);
    for (const std::string& backend : backends_in(all)) {
        for (const TimeRow& row : time_rows_of(all, backend)) {
            text += markdown_row(cells_of(row, backend));
        }
    }
    return text;
}

}  // namespace

std::string comparisons_markdown(const std::vector<Comparison>& all) {
    std::string text = "# Predicted against measured\n";
    for (const std::string& paragraph : preface(all)) {
        text += "\n" + paragraph + "\n";
    }
    text += "\n" + markdown_head(overview_titles(), 1);
    for (const Comparison& comparison : all) {
        text += markdown_row(cells_of(overview_row(comparison)));
    }
    const std::vector<KnownReason> known = known_reasons(all);
    text += known.empty() ? "" : "\n## Known differences\n\n";
    for (const KnownReason& each : known) {
        text += fmt::format("- {} (In {} of the runs.)\n", each.reason, each.runs.size());
    }
    text += markdown_times(all);
    text += "\n## Every run\n";
    for (const Comparison& comparison : all) {
        text += markdown_section(comparison);
    }
    return text;
}

}  // namespace highwater
