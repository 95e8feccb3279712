#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {
namespace {

std::vector<TensorName> own_tensors(const YamlReader& map, std::string_view key) {
    std::vector<TensorName> all;
    const std::optional<YamlReader> list = map.find(key);
    if (!list) {
        return all;
    }
    for (const YamlReader& each : list->one_or_more()) {
        const PlacedText& name = each.scalar("a tensor's name");
        all.push_back({parse_formula(new_name(name, "a tensor")), std::nullopt});
    }
    return all;
}

std::vector<std::pair<PlacedText, Formula>> values_in(const YamlReader& map) {
    std::vector<std::pair<PlacedText, Formula>> all;
    if (const auto values = map.find("values")) {
        for (const YamlReader::Entry& entry : values->few_entries("a map of values")) {
            all.emplace_back(new_name(entry.key, "a value"), formula(entry.value, "an expression"));
        }
    }
    return all;
}

std::vector<Allocation> weights_in(const YamlReader& map) {
    std::vector<Allocation> all;
    if (const auto weights = map.find("weights")) {
        for (const YamlReader::Entry& entry : weights->few_entries("a map of weights")) {
            TensorName name{parse_formula(new_name(entry.key, "a weight")), std::nullopt};
            all.push_back({std::move(name), formula(entry.value, "a size")});
        }
    }
    return all;
}

Workspace workspace(const YamlReader::Entry& entry) {
    Workspace made{new_name(entry.key, "a workspace"), {}, true, false};
    if (entry.value.is_scalar()) {
        made.size = formula(entry.value, "a size");
        return made;
    }
    entry.value.require_keys(language::workspace());
    made.size = formula(entry.value.require("size", "the workspace"), "a size");
    made.scoped = entry.value.flag("scoped", false);
    if (const auto per = entry.value.find("per")) {
        made.per_stream = choice_of(*per, {"stream", "device"}) == "stream";
    }
    return made;
}

}  // namespace

Template template_form(const PlacedText& name, const YamlReader& value) {
    value.require_keys(language::template_form());
    Template made;
    made.name = name;
    made.in = own_tensors(value, "in");
    made.out = own_tensors(value, "out");
    if (const auto parameters = value.find("parameters")) {
        made.parameters = names(*parameters, "a template's parameter");
    }
    made.values = values_in(value);
    made.weights = weights_in(value);
    made.keep = own_tensors(value, "keep");
    made.body = steps(value.require("do", "the template"));
    return made;
}

std::vector<Template> templates(const YamlReader& map) {
    std::vector<Template> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of templates")) {
        YamlReader::attempt(entry, [&] {
            all.push_back(template_form(new_name(entry.key, "a template"), entry.value));
        });
    }
    return all;
}

std::vector<Workspace> workspaces(const YamlReader& map) {
    std::vector<Workspace> all;
    for (const YamlReader::Entry& entry : map.few_entries("a map of workspaces")) {
        YamlReader::attempt(entry, [&] { all.push_back(workspace(entry)); });
    }
    return all;
}

}  // namespace highwater::parse
