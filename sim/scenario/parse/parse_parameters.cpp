#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/parameter_unit.hpp"
#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

using Kind = Parameter::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{{
    {"number", Kind::kNumber},
    {"integer", Kind::kInteger},
    {"boolean", Kind::kBoolean},
    {"text", Kind::kText},
}};

std::optional<Kind> kind_named_in(const YamlReader& map) {
    const std::optional<YamlReader> type = map.find("type");
    if (!type) {
        return std::nullopt;
    }
    const PlacedText& name = type->scalar("a type");
    std::vector<std::string> known;
    for (const auto& [word, kind] : kKinds) {
        if (word == name.text) {
            return kind;
        }
        known.emplace_back(word);
    }
    throw InputError(name.place,
                     fmt::format("unknown type `{}`", quoted(name.text)),
                     suggestion(name.text, known, ""));
}

std::vector<Value> choices_in(const YamlReader& map) {
    std::vector<Value> choices;
    const std::optional<YamlReader> list = map.find("choices");
    if (!list) {
        return choices;
    }
    for (const YamlReader& each : list->items("a list of choices")) {
        choices.push_back(literal(each.scalar("a choice")));
    }
    if (choices.empty()) {
        throw InputError(list->place(), "no choices", "list at least one, or drop `choices`");
    }
    return choices;
}

// `per-layer` is a text among choices, and a difference of two parameters elsewhere.
std::variant<Value, Formula> default_of(const YamlReader& value, const Parameter& parameter) {
    const PlacedText& text = value.scalar("the parameter's default");
    if (parameter.kind == Kind::kText) {
        return Value{text.text};
    }
    if (!parameter.choices.empty()) {
        return literal(text);
    }
    return parse_formula(text);
}

std::string text_in(const YamlReader& map, std::string_view key) {
    const std::optional<YamlReader> found = map.find(key);
    return found ? found->scalar("a text").text : std::string();
}

void require_units(const YamlReader& map, const Parameter& parameter) {
    if (parameter.kind == Kind::kText) {
        return;
    }
    for (const std::string_view key : {"default", "min", "max"}) {
        if (const std::optional<YamlReader> value = map.find(key)) {
            require_unit(value->scalar("a value"), parameter.name.text, parameter.unit);
        }
    }
    if (const std::optional<YamlReader> choices = map.find("choices")) {
        for (const YamlReader& each : choices->items("a list of choices")) {
            require_unit(each.scalar("a choice"), parameter.name.text, parameter.unit);
        }
    }
}

Parameter parameter(const YamlReader::Entry& entry) {
    Parameter made;
    made.name = new_name(entry.key, "a parameter");
    if (!entry.value.is_map()) {
        made.fallback = default_of(entry.value, made);
        return made;
    }
    const YamlReader& map = entry.value;
    map.require_keys(language::parameter());
    made.kind = kind_named_in(map);
    made.choices = choices_in(map);
    made.fallback = default_of(map.require("default", "the parameter"), made);
    made.min = optional_formula(map, "min", "a number");
    made.max = optional_formula(map, "max", "a number");
    made.unit = text_in(map, "unit");
    made.description = text_in(map, "description");
    require_units(map, made);
    return made;
}

}  // namespace

std::vector<Parameter> parameters(const YamlReader& map) {
    std::vector<Parameter> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of parameters")) {
        YamlReader::attempt(entry, [&] { all.push_back(parameter(entry)); });
    }
    return all;
}

}  // namespace highwater::parse
