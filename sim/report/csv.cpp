#include "sim/report/csv.hpp"

namespace highwater {
namespace {

std::string csv_cell(const std::string& cell) {
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted += c;
        quoted += c == '"' ? "\"" : "";
    }
    return quoted + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        line += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
    }
    return line + '\n';
}

}  // namespace highwater
