#include "validate/compare/json_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/snapshot/gzip_lines.hpp"

namespace highwater {

nlohmann::ordered_json json_in_file(const std::string& path, const std::string& remedy) {
    std::string text;
    GzipLines lines(path);
    while (const auto line = lines.next()) {
        text += *line;
        text += '\n';
    }
    try {
        return nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw InputError({path}, fmt::format("it is not JSON (at byte {})", error.byte), remedy);
    }
}

}  // namespace highwater
