#include "sim/scenario/text/yaml_document.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "sim/scenario/text/suggestion.hpp"
#include "sim/scenario/text/yaml_builder.hpp"

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

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view indexed_name(std::string_view line, std::size_t bracket) {
    std::size_t begin = bracket;
    while (begin > 0 && is_of_name(line[begin - 1])) {
        --begin;
    }
    const std::size_t end = line.find(']', bracket);
    return line.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
}

// In a line such as `- alloc: {x[i]: 1}`: the name with its index, which YAML takes for a list.
// Empty if there is none. Texts in quotes are passed over.
std::string_view indexed_name_in_braces(std::string_view line) {
    char quote = '\0';
    std::size_t braces = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{') {
            ++braces;
        } else if (c == '}' && braces > 0) {
            --braces;
        } else if (c == '[' && braces > 0 && i > 0 && is_of_name(line[i - 1])) {
            return indexed_name(line, i);
        }
    }
    return {};
}

std::string_view line_of(std::string_view text, const YAML::Mark& mark) {
    if (mark.is_null()) {
        return {};
    }
    const std::size_t at = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text.size());
    const std::size_t before = text.substr(0, at).rfind('\n');
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

std::string remedy_for(std::string_view text, const YAML::Exception& error) {
    const std::string_view name = indexed_name_in_braces(line_of(text, error.mark));
    return "check indentation, brackets and quotes; quote text that holds `: ` or `#`" +
           (name.empty() ? "" : fmt::format("; inside {{ }} write \"{}\" in quotes", quoted(name)));
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
        throw InputError(place_of(error, file),
                         fmt::format("not YAML: {}", quoted(error.msg)),
                         remedy_for(text, error));
    }
    YamlDocument document = std::move(builder).document();
    if (document.nodes.empty()) {
        throw InputError({file}, "the file is empty", "write a scenario: `steps:` at the least");
    }
    return document;
}

}  // namespace highwater
