#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"

namespace highwater::parse {
namespace {

void add_made(const YamlReader& map, bool is_scratch, step::Op& made) {
    for (const YamlReader::Entry& entry : map.entries("a map of tensors and sizes")) {
        made.made.push_back({allocation(entry), is_scratch});
    }
}

step::Op op(const PlacedText& name, const YamlReader& value) {
    step::Op made{name, {}, {}, {}, {}, {}};
    made.cost = kernel_cost(value);
    for (const YamlReader::Entry& entry : value.entries("an operation")) {
        const std::string& key = entry.key.text;
        if (key == "in") {
            made.in = tensor_names(entry.value);
        } else if (key == "in_place") {
            made.in_place = tensor_names(entry.value);
        } else if (key == "uses") {
            for (const YamlReader& each : entry.value.one_or_more()) {
                made.uses.push_back(each.scalar("a workspace's name"));
            }
        } else if (key == "out" || key == "scratch") {
            add_made(entry.value, key == "scratch", made);
        }
    }
    return made;
}

step::UseTemplate template_use(const PlacedText& name, const YamlReader& value) {
    step::UseTemplate made{name, {}, {}, {}};
    if (value.is_null()) {
        return made;
    }
    if (const auto in = value.find("in")) {
        made.in = tensor_names(*in);
    }
    if (const auto out = value.find("out")) {
        made.out = tensor_names(*out);
    }
    made.arguments = arguments(value);
    return made;
}

bool has_op_key(const YamlReader& value) {
    const std::vector<KeyForm>& keys = language::operation().keys;
    return std::any_of(keys.begin(), keys.end(), [&](const KeyForm& key) {
        return value.find(key.name).has_value();
    });
}

}  // namespace

// A template gives back names, an operation makes tensors of a size.
std::optional<StepKind> op_or_template(const PlacedText& name, const YamlReader& value) {
    if (!value.is_map()) {
        return value.is_null() ? std::optional<StepKind>(template_use(name, value)) : std::nullopt;
    }
    const std::optional<YamlReader> out = value.find("out");
    if (value.find("with") || (out && !out->is_map())) {
        value.require_keys(language::template_use());
        return template_use(name, value);
    }
    if (!has_op_key(value)) {
        return std::nullopt;
    }
    value.require_keys(language::operation());
    return op(name, value);
}

namespace {

template <typename AnyView>
AnyView view_of(const YamlReader& argument, std::string_view word) {
    const auto entries =
        argument.entries(fmt::format("a name and its tensor, as in `{}: {{q: qkv}}`", word));
    if (entries.size() != 1) {
        throw InputError(argument.place(),
                         "a view of one tensor",
                         fmt::format("write `{}: {{name: tensor}}`", word));
    }
    return {made_tensor(entries.front().key), tensor_name(entries.front().value)};
}

}  // namespace

StepKind view(const YamlReader& /*step*/, const YamlReader& argument) {
    return view_of<step::View>(argument, "view");
}

StepKind weak_view(const YamlReader& /*step*/, const YamlReader& argument) {
    return view_of<step::WeakView>(argument, "weak_view");
}

StepKind branch(const YamlReader& /*step*/, const YamlReader& argument) {
    argument.require_keys(language::branch());
    return step::Branch{
        new_name(argument.require("name", "the branch").scalar("a branch's name"), "a branch"),
        reference(argument.require("stream", "the branch"), "a stream"),
        body(argument, "the branch")};
}

StepKind join(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::Join{argument.scalar("a branch's name")};
}

StepKind layers(const YamlReader& step, const YamlReader& argument) {
    return step::Layers{formula(argument, "a count"), body(step, "the layers")};
}

StepKind eager(const YamlReader& /*step*/, const YamlReader& argument) {
    return step::Eager{steps(argument)};
}

}  // namespace highwater::parse
