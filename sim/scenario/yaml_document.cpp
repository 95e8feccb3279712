#include "sim/scenario/yaml_document.hpp"

#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "sim/scenario/suggestion.hpp"
#include "sim/scenario/yaml_builder.hpp"

namespace highwater {
namespace {

SourcePlace place_of(const YAML::Exception& error, const std::string& file) {
    if (error.mark.is_null()) {
        return {file};
    }
    return {file,
            static_cast<std::size_t>(error.mark.line) + 1,
            static_cast<std::size_t>(error.mark.column) + 1};
}

}  // namespace

YamlDocument parse_yaml(const std::string& text, const std::string& file) {
    YamlBuilder builder(text, file);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        throw InputError(
            place_of(error, file),
            fmt::format("not YAML: {}", quoted(error.msg)),
            "check indentation, brackets and quotes; quote text that holds `: ` or `#`");
    }
    YamlDocument document = std::move(builder).document();
    if (document.nodes.empty()) {
        throw InputError({file}, "the file is empty", "write a scenario: `steps:` at the least");
    }
    return document;
}

}  // namespace highwater
