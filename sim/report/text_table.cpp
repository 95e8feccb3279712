#include "sim/report/text_table.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/core/printable.hpp"

namespace highwater {
namespace {

// Characters of UTF-8: all bytes but the ones that continue one.
std::size_t width_of(const std::string& cell) {
    constexpr unsigned char kTopBits = 0xC0;
    constexpr unsigned char kContinuation = 0x80;
    return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char c) {
        return (static_cast<unsigned char>(c) & kTopBits) != kContinuation;
    }));
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
    widths_.reserve(columns_.size());
    for (const Column& column : columns_) {
        widths_.push_back(width_of(column.title));
    }
}

void TextTable::add_row(std::vector<std::string> cells) {
    check(cells.size() == columns_.size(), "a row has a cell for each column");
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = printable(cells[i]);
        widths_[i] = std::max(widths_[i], width_of(cells[i]));
    }
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
    std::vector<std::string> titles;
    titles.reserve(columns_.size());
    for (const Column& column : columns_) {
        titles.push_back(column.title);
    }
    std::string text = line(titles);
    for (const std::vector<std::string>& row : rows_) {
        text += line(row);
    }
    return text;
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths_[i] - width_of(cells[i]), ' ');
        text += i == 0 ? "" : "  ";
        text += columns_[i].align == Align::kLeft ? cells[i] + padding : padding + cells[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

}  // namespace highwater
