#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace highwater {

/// A table of plain text: columns as wide as their widest cell, two spaces between them, no spaces
/// at the ends of lines.
class TextTable {
  public:
    enum class Align { kLeft, kRight };
    struct Column {
        std::string title;
        Align align = Align::kRight;
    };

    explicit TextTable(std::vector<Column> columns);

    /// As many cells as there are columns. What a terminal should not have is escaped
    /// (`printable`).
    void add_row(std::vector<std::string> cells);

    /// A line for the titles and one for each row.
    std::string text() const;

  private:
    std::string line(const std::vector<std::string>& cells) const;

    std::vector<Column> columns_;
    std::vector<std::size_t> widths_;
    std::vector<std::vector<std::string>> rows_;
};

/// For columns of words; numbers stand to the right.
inline constexpr auto kLeft = TextTable::Align::kLeft;

}  // namespace highwater
