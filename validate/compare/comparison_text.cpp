#include <fmt/format.h>

#include "sim/report/text_table.hpp"
#include "validate/compare/report_rows.hpp"
#include "validate/compare/reports.hpp"

namespace highwater {

std::string comparison_text(const Comparison& comparison) {
    const MeasuredRun& measured = comparison.measured;
    TextTable table({{"where", kLeft},
                     {"figure", kLeft},
                     {"predicted"},
                     {"measured"},
                     {"difference"},
                     {"verdict", kLeft}});
    for (const ReportRow& row : report_rows(comparison)) {
        table.add_row(
            {row.place, row.figure, row.predicted, row.measured, row.difference, row.verdict});
    }
    std::string text = fmt::format("{}\nmeasured on {}{}{}\n\n{}\n{}\n",
                                   title_of(comparison),
                                   measured.card,
                                   measured.framework.empty() ? "" : ", ",
                                   measured.framework,
                                   table.text(),
                                   corruption_text(comparison));
    if (!has_predicted_allocator(measured)) {
        text += "The backend has another allocator: only times and corruption are compared.\n";
    }
    for (const std::string& reason : reasons_in(comparison)) {
        text += fmt::format("known: {}\n", reason);
    }
    for (const std::string& notice : measured.notices) {
        text += fmt::format("note: {}\n", notice);
    }
    return text;
}

std::string summary_text(const std::vector<Comparison>& all) {
    std::string text;
    for (const Comparison& comparison : all) {
        text += fmt::format("{} ({}): {}\n",
                            comparison.measured.file,
                            comparison.measured.backend,
                            counts_text(counts_of(comparison.figures)));
    }
    return text;
}

}  // namespace highwater
