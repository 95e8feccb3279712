#include "sim/cli/problems_text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/scenario/text/problems.hpp"
#include "sim/scenario/text/source_text.hpp"

namespace highwater {
namespace {

constexpr std::size_t kMostShown = 50;
// Of a long line, so many characters, of which so many stand before the column.
constexpr std::size_t kWidth = 100;
constexpr std::size_t kBefore = 60;

std::optional<std::string_view> line_of(const SourcePlace& place, const SourceFiles& files) {
    const auto file = std::find_if(files.begin(), files.end(), [&](const SourceFile& each) {
        return each.name == place.file;
    });
    if (file == files.end() || place.line == 0) {
        return std::nullopt;
    }
    std::string_view rest = file->text;
    for (std::size_t line = 1; line < place.line && !rest.empty(); ++line) {
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    }
    return rest.substr(0, rest.find('\n'));
}

// Up to `count` characters from the one at `first`, tabs as blanks so that the caret stays under
// its column.
std::string piece_of(std::string_view line, std::size_t first, std::size_t count) {
    std::string piece;
    std::size_t character = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        character += count_characters(line.substr(i, 1));
        if (character > first && character <= first + count) {
            piece += line[i] == '\t' ? ' ' : line[i];
        }
    }
    return piece;
}

std::string snippet(const SourcePlace& place, std::string_view line) {
    const std::size_t before = place.column == 0 ? 0 : place.column - 1;
    const bool is_long = count_characters(line) > kWidth;
    const std::size_t first = is_long && before > kBefore ? before - kBefore : 0;
    const std::string cut = first > 0 ? "..." : "";
    const std::string number = std::to_string(place.line);
    std::string text = fmt::format("  {} | {}{}\n", number, cut, piece_of(line, first, kWidth));
    if (place.column > 0) {
        text +=
            fmt::format("  {:{}} | {:{}}^\n", "", number.size(), "", cut.size() + before - first);
    }
    return text;
}

}  // namespace

std::string problems_text(const std::vector<InputError>& problems, const SourceFiles& files) {
    std::string text;
    for (std::size_t i = 0; i < std::min(problems.size(), kMostShown); ++i) {
        const InputError& problem = problems[i];
        text += fmt::format("{}\n", problem.what());
        if (const auto line = line_of(problem.place(), files)) {
            text += snippet(problem.place(), *line);
        }
    }
    if (problems.size() > kMostShown) {
        text += fmt::format("and {}{} more\n",
                            problems.size() >= Problems::kMost ? "at least " : "",
                            problems.size() - kMostShown);
    }
    return text;
}

}  // namespace highwater
