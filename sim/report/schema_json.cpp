#include "sim/report/schema_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/scenario/parse/language.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Form::Kind;

Json schema_of(const Form& form);

Json ref(const char* name) {
    return {{"$ref", std::string("#/$defs/") + name}};
}

Json properties_of(const std::vector<KeyForm>& keys) {
    Json properties = Json::object();
    for (const KeyForm& key : keys) {
        Json schema = schema_of(key.form);
        schema["description"] = key.says;
        properties[std::string(key.name)] = std::move(schema);
    }
    return properties;
}

Json map_schema(const Form& form) {
    const bool is_open = !form.parts.empty();
    return {{"type", "object"},
            {"properties", properties_of(form.keys)},
            {"additionalProperties", is_open ? schema_of(form.parts.front()) : Json(false)}};
}

Json alternatives(const std::vector<Form>& forms) {
    Json all = Json::array();
    for (const Form& form : forms) {
        all.push_back(schema_of(form));
    }
    return {{"anyOf", std::move(all)}};
}

Json schema_of(const Form& form) {
    switch (form.kind) {
        case Kind::kNothing:
            return {{"type", "null"}};
        case Kind::kExpression:
            return ref("expression");
        case Kind::kText:
            return ref("text");
        case Kind::kFlag:
            return {{"type", "boolean"}};
        case Kind::kName:
        case Kind::kReference:
            return {{"type", "string"}};
        case Kind::kWords:
            return {{"enum", form.words}};
        case Kind::kMap:
            return map_schema(form);
        case Kind::kMapOf:
            return {{"type", "object"}, {"additionalProperties", schema_of(form.parts.front())}};
        case Kind::kListOf:
            return {{"type", "array"}, {"items", schema_of(form.parts.front())}};
        case Kind::kAnyOf:
            return alternatives(form.parts);
        case Kind::kSteps:
            return ref("steps");
    }
    return true;
}

// What has no name in the language is an operation or the use of a template.
Json named_step_schema() {
    return alternatives(
        {form::map(language::operation()), form::map(language::template_use()), form::nothing()});
}

Json step_schema() {
    const Json map = {
        {"type", "object"},
        {"properties", properties_of(together({language::steps(), language::companions()}))},
        {"additionalProperties", named_step_schema()}};
    const Json bare = {{"enum", language::bare_steps()}};
    const Json use = {{"type", "string"}, {"description", "A template without inputs."}};
    return {{"anyOf", Json::array({map, bare, use})}};
}

Json definitions() {
    return {{"expression",
             {{"type", Json::array({"number", "string", "boolean"})},
              {"description", "A number, a size such as `8 MiB`, or an expression."}}},
            {"text", {{"type", Json::array({"string", "number", "boolean"})}}},
            {"steps", {{"type", "array"}, {"items", ref("step")}}},
            {"step", step_schema()}};
}

}  // namespace

std::string schema_json_text() {
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "A scenario of Highwater"}};
    schema.update(map_schema(form::map(language::scenario())));
    // A section left blank is an empty one.
    for (Json& section : schema["properties"]) {
        const Json description = section["description"];
        section.erase("description");
        section = {{"anyOf", Json::array({section, {{"type", "null"}}})},
                   {"description", description}};
    }
    schema["$defs"] = definitions();
    return schema.dump(2) + '\n';
}

}  // namespace highwater
