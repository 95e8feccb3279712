#include "sim/scenario/load_scenario.hpp"

#include <filesystem>
#include <fstream>

#include "sim/scenario/check/check_calls.hpp"
#include "sim/scenario/check/check_expectations.hpp"
#include "sim/scenario/check/check_names.hpp"
#include "sim/scenario/check/check_sweep.hpp"
#include "sim/scenario/check/check_templates.hpp"
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {
namespace {

// A section that is left out, or left blank, is an empty one.
template <typename Part>
void read_section(const YamlReader& file,
                  std::string_view key,
                  Part (*read)(const YamlReader&),
                  Part& part) {
    const std::optional<YamlReader> found = file.find(key);
    if (found && !found->is_null()) {
        found->attempt([&] { part = read(*found); });
    }
}

std::string text_in(const YamlReader& text) {
    return text.scalar("a text").text;
}

// The steps of a scenario with a model are its phases.
YamlReader steps_of(const YamlReader& file) {
    const std::optional<YamlReader> phases = file.find("phases");
    const std::optional<YamlReader> steps = file.find("steps");
    if (phases && steps) {
        throw InputError(
            steps->place(), "both `phases` and `steps`", "put all of them under `phases`");
    }
    return phases ? *phases : file.require("steps", "the scenario");
}

void read_sections(const YamlReader& file,
                   const FileReader& read_file,
                   Problems& problems,
                   Scenario& made) {
    file.require_keys(language::scenario());
    problems.attempt([&] {
        made.name = file.require("scenario", "the file").scalar("the scenario's name").text;
    });
    read_section(file, "description", text_in, made.description);
    made.machine = parse::machine(file, read_file, made.sources);
    read_section(file, "parameters", parse::parameters, made.parameters);
    read_section(file, "streams", parse::streams, made.streams);
    read_section(file, "buckets", parse::buckets, made.buckets);
    read_section(file, "workspaces", parse::workspaces, made.workspaces);
    read_section(file, "templates", parse::templates, made.templates);
    if (const auto model = file.find("model")) {
        model->attempt([&] {
            made.templates.push_back(
                parse::template_form({"model", model->place(), false}, *model));
        });
    }
    read_section(file, "procedures", parse::procedures, made.procedures);
    problems.attempt([&] {
        const YamlReader steps = steps_of(file);
        steps.attempt([&] { made.steps = parse::steps(steps); });
    });
    read_section(file, "measures", parse::measures, made.measures);
    read_section(file, "sweep", parse::sweep, made.sweep);
    read_section(file, "expect", parse::expectations, made.expectations);
    read_section(file, "tolerances", parse::tolerances, made.tolerances);
}

void read_and_check(const YamlDocument& document,
                    const FileReader& read_file,
                    Problems& problems,
                    Scenario& made) {
    read_sections(YamlReader(document, document.root, &problems), read_file, problems, made);
    check_templates(made, problems);
    check_calls(made, problems);
    check_names(made, problems);
    check_sweep(made, problems);
    check_expectations(made, problems);
}

}  // namespace

Scenario load_scenario(std::string_view text,
                       const std::string& file,
                       const FileReader& read_file) {
    Scenario made;
    made.file = file;
    const YamlDocument document = read_document(text, file, read_file, made.sources);
    Problems problems(Problems::Mode::kThrowFirst);
    naming_chains(made.sources, [&] { read_and_check(document, read_file, problems, made); });
    return made;
}

ScenarioCheck check_scenario(std::string_view text,
                             const std::string& file,
                             const FileReader& read_file) {
    ScenarioCheck result;
    result.scenario.file = file;
    Problems problems(Problems::Mode::kGather);
    problems.attempt_all([&] {
        const YamlDocument document = read_document(text, file, read_file, result.scenario.sources);
        read_and_check(document, read_file, problems, result.scenario);
    });
    result.sources = result.scenario.sources;
    for (const InputError& problem : problems.all()) {
        result.problems.push_back(with_chain(problem, result.sources));
    }
    sort_by_place(result.problems, result.sources);
    return result;
}

std::string read_scenario_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream || std::filesystem::is_directory(path)) {
        throw InputError({path}, "the file cannot be read", "name a scenario file that exists");
    }
    // One byte too many is enough to know that the file is too long.
    std::string text(kMaxFileBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

}  // namespace highwater
