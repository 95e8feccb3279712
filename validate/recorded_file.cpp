#include "validate/recorded_file.hpp"

#include <nlohmann/json.hpp>

#include "sim/snapshot/gzip_lines.hpp"
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

constexpr const char* kRemedy = "see validate/README.md for the format of recorded programs";

// The library writes values by recursion, so that deep ones would overflow the stack.
bool is_deep(const std::string& text) {
    constexpr int kDeepest = 16;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size() && depth <= kDeepest; ++i) {
        const char c = text[i];
        i += quoted && c == '\\' ? 1U : 0U;
        quoted ^= c == '"';
        depth += quoted ? 0 : (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    return depth > kDeepest;
}

nlohmann::json parse_line(const SourcePlace& place, const std::string& text) {
    if (is_deep(text)) {
        throw InputError(place, "lists within lists, more than 16 deep", kRemedy);
    }
    nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        throw InputError(place, "not JSON", kRemedy);
    }
    return json;
}

// The library begins its messages with "[json.exception.out_of_range.403] ".
std::string without_prefix(const std::string& message) {
    const std::string end = "] ";
    const std::size_t at = message.find(end);
    return at == std::string::npos ? message : message.substr(at + end.size());
}

// Calls `read` on the line's JSON; whatever is wrong with it becomes an InputError at the line.
template <typename Read>
auto on_line(const std::string& path, std::size_t line, const std::string& text, Read read) {
    try {
        return read(parse_line({path, line}, text));
    } catch (const nlohmann::json::exception& error) {
        throw InputError({path, line}, without_prefix(error.what()), kRemedy);
    } catch (const std::invalid_argument& error) {
        throw InputError({path, line}, error.what(), kRemedy);
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
    bool has_programs = false;
    while (const auto line = lines.next()) {
        has_programs = true;
        const std::size_t number = lines.line_number();
        const auto read = [&head](const nlohmann::json& json) {
            return read_recorded_program(head, json);
        };
        take_at({path, number}, on_line(path, number, *line, read), take);
    }
    if (!has_programs) {
        throw InputError({path}, "the file has a head and no programs", kRemedy);
    }
}

}  // namespace highwater
