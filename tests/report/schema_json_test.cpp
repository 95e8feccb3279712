#include "sim/report/schema_json.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"
#include "tests/report/schema_validator.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

const std::filesystem::path kSources = HIGHWATER_SOURCE_DIR;

template <typename Names>
std::set<std::string> as_set(const Names& names) {
    return {names.begin(), names.end()};
}

bool has_problem(const std::string& text, const std::string& part) {
    const ScenarioCheck found = check_scenario(text, "s.yaml");
    return std::any_of(found.problems.begin(), found.problems.end(), [&](const auto& problem) {
        return problem.problem().find(part) != std::string::npos;
    });
}

// `{a: , b: }`, with a value where the parser looks at it to tell what it reads.
std::string map_with(const std::vector<KeyForm>& keys, const std::string& more = "") {
    std::string text;
    for (const KeyForm& key : keys) {
        const std::string value = key.name == "out" ? "{y: 1}" : "1";
        text += fmt::format("{}: {}, ", key.name, value);
    }
    return "{" + text + more + "}";
}

void collect_maps(const Form& form, std::vector<Form>& maps) {
    if (form.kind == Form::Kind::kMap) {
        maps.push_back(form);
    }
    for (const Form& part : form.parts) {
        collect_maps(part, maps);
    }
}

std::vector<Form> maps_in(const Form& form) {
    std::vector<Form> maps;
    collect_maps(form, maps);
    return maps;
}

std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::filesystem::path& path = entry.path();
        const bool is_of_facts =
            path.filename() == "devices.yaml" || path.parent_path().filename() == "cost_profiles";
        if (path.extension() == ".yaml" && !is_of_facts) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

void require_descriptions(const nlohmann::json& schema) {
    if (schema.is_object() && schema.contains("properties")) {
        for (const auto& [key, value] : schema["properties"].items()) {
            INFO(key);
            CHECK(value.value("description", "").ends_with('.'));
        }
    }
    if (schema.is_structured()) {
        for (const auto& each : schema) {
            require_descriptions(each);
        }
    }
}

}  // namespace

TEST_CASE("every scenario and preset fits the schema", "[schema]") {
    const SchemaValidator validator(schema_json_text());
    const auto files = yaml_files(kSources / "scenarios");
    CHECK(files.size() > 10);
    for (const auto& file : files) {
        INFO(file);
        CHECK(validator.complaint_about(read_scenario_file(file.string())).empty());
    }
}

TEST_CASE("what the parser refuses for its form does not fit the schema", "[schema]") {
    const SchemaValidator validator(schema_json_text());
    const auto [text, complaint] = GENERATE(table<std::string, std::string>({
        {"step: []", "1:7: unknown key step"},
        {"parameters: {n: {defalt: 1}}", "no alternative fits"},
        {"parameters: {n: {default: 1, type: real}}", "no alternative fits"},
        {"streams: {a: {cuont: 1}}", "no alternative fits"},
        {"steps: {alloc: {x: 1}}", "not a "},
        {"steps: [kernel: {raeds: x}]", "no alternative fits"},
        {"steps: [[sync]]", "no alternative fits"},
        {"model: {do: sync}", "not a "},
    }));
    INFO(text);
    CHECK(validator.complaint_about(text).find(complaint) != std::string::npos);
}

TEST_CASE("the schema explains every key", "[schema]") {
    require_descriptions(nlohmann::json::parse(schema_json_text()));
}

TEST_CASE("the parser's steps are the schema's", "[schema]") {
    CHECK(as_set(parse::names_of_steps()) == as_set(names_of(language::steps())));
    std::set<std::string> companions{"when"};
    for (const parse::StepForm& form : parse::step_forms()) {
        companions.insert(form.companions.begin(), form.companions.end());
    }
    CHECK(companions == as_set(names_of(language::companions())));
}

TEST_CASE("the steps that stand alone are the schema's", "[schema]") {
    const auto& bare = language::bare_steps();
    for (const std::string& name : parse::names_of_steps()) {
        INFO(name);
        const bool is_bare = std::find(bare.begin(), bare.end(), name) != bare.end();
        CHECK(has_problem("scenario: t\nsteps: [" + name + "]\n", "says nothing of what") !=
              is_bare);
    }
}

TEST_CASE("the parser knows every key that the schema has after a step", "[schema]") {
    for (const KeyForm& step : language::steps()) {
        for (const Form& map : maps_in(step.form)) {
            const auto text = [&](const std::string& more) {
                return fmt::format(
                    "scenario: t\nsteps: [{}: {}]\n", step.name, map_with(map.keys, more));
            };
            INFO(text(""));
            CHECK_FALSE(has_problem(text(""), "unknown key"));
            CHECK(has_problem(text("zebra: 1"), "unknown key"));
        }
    }
}

TEST_CASE("the parser knows every key that the schema has in a section", "[schema]") {
    for (const KeyForm& section : language::scenario().keys) {
        INFO(section.name);
        CHECK_FALSE(has_problem(fmt::format("{}:\n", section.name), "unknown key"));
        const bool is_list = section.form.kind == Form::Kind::kListOf;
        const bool is_named = section.form.kind == Form::Kind::kMapOf;
        for (const Form& map : maps_in(section.form)) {
            if (!map.parts.empty() || (is_named && map.kind != Form::Kind::kMap)) {
                continue;
            }
            const std::string own = map_with(map.keys);
            const std::string value = is_list    ? "[" + own + "]"
                                      : is_named ? "{a: " + own + "}"
                                                 : own;
            CHECK_FALSE(has_problem(fmt::format("{}: {}\n", section.name, value), "unknown key"));
        }
    }
}

TEST_CASE("an expectation's own keys are no measures", "[schema]") {
    for (const KeyForm& key : language::expectation().keys) {
        INFO(key.name);
        CHECK_FALSE(
            has_problem(fmt::format("scenario: t\nsteps: []\nexpect: [{{{}: 1}}]\n", key.name),
                        "unknown measure"));
    }
}

TEST_CASE("the parser lists no keys of its own", "[schema]") {
    std::size_t looked_at = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kSources / "sim/scenario/parse")) {
        if (entry.path().filename().string().starts_with("parse_")) {
            ++looked_at;
            INFO(entry.path());
            CHECK(read_scenario_file(entry.path().string()).find("require_keys(\"") ==
                  std::string::npos);
        }
    }
    CHECK(looked_at > 10);
}
