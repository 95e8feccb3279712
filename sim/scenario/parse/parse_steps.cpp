#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

// A step that needs nothing may be written as its name alone: `- sync`.
std::optional<StepKind> bare_step(const std::string& name) {
    if (name == "sync") {
        return step::Synchronize{};
    }
    if (name == "kernel") {
        return step::Kernel{};
    }
    if (name == "host_function") {
        return step::HostFunction{};
    }
    if (name == "empty_cache") {
        return step::EmptyCache{};
    }
    if (name == "reset_peaks") {
        return step::ResetPeaks{};
    }
    if (name == "load_weights") {
        return step::LoadWeights{};
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> names_of_steps() {
    std::vector<std::string> names;
    for (const StepForm& form : step_forms()) {
        names.emplace_back(form.name);
    }
    return names;
}

namespace {

Step written_as_word(const YamlReader& value) {
    const PlacedText& word = value.scalar("a step");
    if (std::optional<StepKind> kind = bare_step(word.text)) {
        return {value.place(), *std::move(kind), {}};
    }
    const std::vector<std::string> names = names_of_steps();
    if (std::find(names.begin(), names.end(), word.text) != names.end()) {
        throw InputError(word.place,
                         fmt::format("`{}` says nothing of what", word.text),
                         fmt::format("write `{}: ...`", word.text));
    }
    // Which templates there are is not known yet: see `check_templates`.
    return {value.place(), step::UseTemplate{word, {}, {}, {}}, {}};
}

const StepForm* find_form(const YamlReader& map) {
    for (const StepForm& form : step_forms()) {
        if (map.find(form.name)) {
            return &form;
        }
    }
    return nullptr;
}

// An operation or the use of a template: the one key beside `when` is its name.
StepKind op_or_template_in(const YamlReader& map) {
    const auto entries = map.entries("a step");
    const auto named = std::find_if(
        entries.begin(), entries.end(), [](const auto& entry) { return entry.key.text != "when"; });
    if (named == entries.end()) {
        throw InputError(map.place(), "an empty step", "remove it");
    }
    const PlacedText& key = named->key;
    if (std::optional<StepKind> kind = op_or_template(key, named->value)) {
        map.require_keys(fmt::format("the step `{}`", quoted(key.text)), {key.text, "when"});
        return *std::move(kind);
    }
    throw InputError(key.place,
                     fmt::format("unknown step `{}`", quoted(key.text)),
                     suggestion(key.text, names_of_steps(), ""));
}

StepKind kind_of_map(const YamlReader& map) {
    const StepForm* form = find_form(map);
    if (form == nullptr) {
        return op_or_template_in(map);
    }
    std::vector<std::string> keys(form->companions.begin(), form->companions.end());
    keys.emplace_back(form->name);
    keys.emplace_back("when");
    map.require_keys(fmt::format("the step `{}`", form->name), keys);
    return form->parse(map, map.require(form->name, "the step"));
}

Step written_as_map(const YamlReader& map) {
    Step made{map.place(), kind_of_map(map), {}};
    if (std::optional<Formula> when = optional_formula(map, "when", "a condition")) {
        StepList then;
        then.push_back(std::move(made));
        return {map.place(), step::Choice{*std::move(when), std::move(then), {}}, {}};
    }
    return made;
}

}  // namespace

StepList steps(const YamlReader& list) {
    StepList made;
    for (const YamlReader& each : list.items("a list of steps")) {
        each.attempt(
            [&] { made.push_back(each.is_map() ? written_as_map(each) : written_as_word(each)); });
    }
    return made;
}

}  // namespace highwater::parse
