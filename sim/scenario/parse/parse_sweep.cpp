#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/description/sweep.hpp"
#include "sim/scenario/parse/parse_parts.hpp"

namespace highwater::parse {
namespace {

constexpr std::string_view kZip = "zip";
constexpr std::string_view kAll = "all";

Override setting(const PlacedText& parameter, const YamlReader& value) {
    const PlacedText& text = value.scalar("a value");
    return {parameter.text, text.text, text.place};
}

std::vector<YamlReader> some_items(const YamlReader& list, std::string_view what) {
    std::vector<YamlReader> items = list.items(what);
    if (items.empty()) {
        throw InputError(list.place(), fmt::format("nothing in {}", what), "list at least one");
    }
    if (items.size() > kMaxPoints) {
        throw InputError(list.place(),
                         fmt::format("more than {} in {}", kMaxPoints, what),
                         "sweep over fewer values");
    }
    return items;
}

// `layers: [8, 16]` or `mode: all`.
SweepAxis grid_axis(const YamlReader::Entry& entry) {
    SweepAxis axis{{entry.key}, {}, false};
    if (entry.value.is_scalar() && entry.value.scalar("").text == kAll) {
        axis.takes_all = true;
        return axis;
    }
    for (const YamlReader& value : some_items(entry.value, "a list of values, or `all`")) {
        axis.turns.push_back({setting(entry.key, value)});
    }
    return axis;
}

// `zip: {a: [1, 2], b: [3, 4]}`: all the first values, then all the second.
SweepAxis zip_axis(const YamlReader& map) {
    SweepAxis axis;
    for (const YamlReader::Entry& entry : map.few_entries("a map of lists")) {
        const std::vector<YamlReader> values = some_items(entry.value, "a list of values");
        if (axis.parameters.empty()) {
            axis.turns.resize(values.size());
        } else if (values.size() != axis.turns.size()) {
            throw InputError(entry.value.place(),
                             fmt::format("`{}` has {} values, and `{}` has {}",
                                         entry.key.text,
                                         values.size(),
                                         axis.parameters.front().text,
                                         axis.turns.size()),
                             "give each parameter under `zip` as many");
        }
        axis.parameters.push_back(entry.key);
        for (std::size_t i = 0; i < values.size(); ++i) {
            axis.turns[i].push_back(setting(entry.key, values[i]));
        }
    }
    if (axis.parameters.empty()) {
        throw InputError(map.place(), "nothing to zip", "list parameters and their values");
    }
    return axis;
}

void add_parameter(const PlacedText& name, std::vector<PlacedText>& parameters) {
    const bool is_new = std::none_of(parameters.begin(), parameters.end(), [&](const auto& each) {
        return each.text == name.text;
    });
    if (is_new) {
        parameters.push_back(name);
    }
}

// `[{layers: 8}, {layers: 16, mode: shared}]`: one axis, a turn each.
SweepAxis listed_points(const YamlReader& list) {
    SweepAxis axis;
    for (const YamlReader& point : some_items(list, "a list of points")) {
        axis.turns.emplace_back();
        for (const YamlReader::Entry& entry : point.few_entries("a map of parameters")) {
            add_parameter(entry.key, axis.parameters);
            axis.turns.back().push_back(setting(entry.key, entry.value));
        }
    }
    return axis;
}

}  // namespace

std::vector<SweepAxis> sweep(const YamlReader& section) {
    std::vector<SweepAxis> axes;
    if (section.is_sequence()) {
        axes.push_back(listed_points(section));
        return axes;
    }
    for (const YamlReader::Entry& entry : section.few_entries("a map of parameters and values")) {
        YamlReader::attempt(entry, [&] {
            axes.push_back(entry.key.text == kZip ? zip_axis(entry.value) : grid_axis(entry));
        });
    }
    return axes;
}

}  // namespace highwater::parse
