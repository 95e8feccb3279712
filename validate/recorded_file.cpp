#include "validate/recorded_file.hpp"

#include <nlohmann/json.hpp>

#include "validate/gzip_lines.hpp"
#include "validate/recorded_json.hpp"

namespace highwater {
namespace {

// What a program contradicts itself in is on the line that holds the program.
void take_at(const SourcePlace& place,
             const RecordedProgram& program,
             const std::function<void(const RecordedProgram&)>& take) {
    try {
        take(program);
    } catch (const InputError& error) {
        throw InputError(place, error.problem(), error.remedy());
    }
}

// Calls `read` on the line's JSON; whatever is wrong with it becomes an InputError at the line.
template <typename Read>
auto on_line(const std::string& path, std::size_t line, const std::string& text, Read read) {
    const std::string remedy = "see validate/README.md for the format of recorded programs";
    try {
        return read(nlohmann::json::parse(text));
    } catch (const nlohmann::json::exception& error) {
        throw InputError({path, line}, error.what(), remedy);
    } catch (const std::invalid_argument& error) {
        throw InputError({path, line}, error.what(), remedy);
    } catch (const SettingsError& error) {
        throw InputError(
            {path, line}, error.what(), "PyTorch refuses these settings; correct conf");
    }
}

}  // namespace

void read_recorded_file(const std::string& path,
                        const std::function<void(const RecordedProgram&)>& take) {
    GzipLines lines(path);
    const auto head_line = lines.next();
    if (!head_line) {
        throw InputError({path}, "the file is empty", "give a file of recorded programs");
    }
    const RecordedHead head = on_line(path, 1, *head_line, read_recorded_head);
    while (const auto line = lines.next()) {
        const std::size_t number = lines.line_number();
        const auto read = [&head](const nlohmann::json& json) {
            return read_recorded_program(head, json);
        };
        take_at({path, number}, on_line(path, number, *line, read), take);
    }
}

}  // namespace highwater
