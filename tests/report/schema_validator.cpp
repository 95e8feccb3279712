#include "tests/report/schema_validator.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace highwater::test {
namespace {

using Json = nlohmann::json;

std::string at(const YamlReader& value, const std::string& what) {
    return fmt::format("{}:{}: {}", value.place().line, value.place().column, what);
}

std::string type_of(const YamlReader& value) {
    if (value.is_map()) {
        return "object";
    }
    if (value.is_sequence()) {
        return "array";
    }
    if (value.is_null()) {
        return "null";
    }
    const std::string& text = value.scalar("").text;
    if (text == "true" || text == "false") {
        return "boolean";
    }
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? "number" : "string";
}

bool is_type(const Json& types, const std::string& type) {
    if (types.is_string()) {
        return types == type;
    }
    return std::any_of(types.begin(), types.end(), [&](const Json& each) { return each == type; });
}

bool is_among(const Json& words, const YamlReader& value) {
    return value.is_scalar() && std::any_of(words.begin(), words.end(), [&](const Json& word) {
               return word == value.scalar("").text;
           });
}

}  // namespace

std::string SchemaValidator::complaint_about(const std::string& text) const {
    const YamlDocument document = parse_yaml(text, "s.yaml");
    return complaint(schema_, YamlReader(document, document.root));
}

std::string SchemaValidator::complaint(const Json& schema, const YamlReader& value) const {
    if (schema.is_boolean()) {
        return schema.get<bool>() ? "" : at(value, "nothing may stand here");
    }
    for (const auto& [keyword, ignored] : schema.items()) {
        const std::string found = about_keyword(keyword, schema, value);
        if (!found.empty()) {
            return found;
        }
    }
    return value.is_map() ? about_keys(schema, value) : "";
}

std::string SchemaValidator::about_keyword(const std::string& keyword,
                                           const Json& schema,
                                           const YamlReader& value) const {
    static const std::set<std::string> kOthers{
        "$schema", "$defs", "title", "description", "properties", "additionalProperties"};
    const Json& argument = schema.at(keyword);
    if (keyword == "$ref") {
        const std::string name = argument.get<std::string>().substr(std::string("#/$defs/").size());
        return complaint(schema_.at("$defs").at(name), value);
    }
    if (keyword == "type") {
        return is_type(argument, type_of(value)) ? "" : at(value, "not a " + argument.dump());
    }
    if (keyword == "enum") {
        return is_among(argument, value) ? "" : at(value, "not one of " + argument.dump());
    }
    if (keyword == "anyOf") {
        std::string last;
        for (const Json& alternative : argument) {
            last = complaint(alternative, value);
            if (last.empty()) {
                return "";
            }
        }
        return at(value, "no alternative fits; the last: " + last);
    }
    if (keyword == "items") {
        for (const YamlReader& item :
             value.is_sequence() ? value.items("") : std::vector<YamlReader>()) {
            if (std::string found = complaint(argument, item); !found.empty()) {
                return found;
            }
        }
        return "";
    }
    if (!kOthers.contains(keyword)) {
        throw std::logic_error("the validator does not know " + keyword);
    }
    return "";
}

std::string SchemaValidator::about_keys(const Json& schema, const YamlReader& map) const {
    const Json properties = schema.value("properties", Json::object());
    for (const YamlReader::Entry& entry : map.entries("")) {
        const auto known = properties.find(entry.key.text);
        const Json of_value =
            known != properties.end() ? *known : schema.value("additionalProperties", Json(true));
        if (of_value == Json(false)) {
            return at(entry.value, "unknown key " + entry.key.text);
        }
        if (std::string found = complaint(of_value, entry.value); !found.empty()) {
            return found;
        }
    }
    return "";
}

}  // namespace highwater::test
