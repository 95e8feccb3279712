#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_functions.hpp"
#include "sim/scenario/expression/expression_parser.hpp"
#include "sim/scenario/expression/expression_tokens.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

// `result` is the state after the last operation, `device` the card; `default` and `current` are
// streams.
constexpr std::array<std::string_view, 9> kReserved{
    "and", "or", "not", "true", "false", "result", "device", "default", "current"};

// The functions of measures take names, so that none of theirs could be meant.
bool is_reserved(const std::string& name) {
    const std::vector<std::string>& functions = function_names();
    if (find_measure_function(name) != nullptr) {
        return false;
    }
    return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end() ||
           std::find(functions.begin(), functions.end(), name) != functions.end() ||
           unit_value(name).has_value();
}

}  // namespace

Formula formula(const YamlReader& value, std::string_view what) {
    return parse_formula(value.scalar(what));
}

std::optional<Formula> optional_formula(const YamlReader& map,
                                        std::string_view key,
                                        std::string_view what) {
    const std::optional<YamlReader> found = map.find(key);
    return found ? std::optional<Formula>(formula(*found, what)) : std::nullopt;
}

Formula reference(const YamlReader& value, std::string_view what) {
    Formula parsed = formula(value, what);
    base_name(parsed);  // throws for anything but a name
    return parsed;
}

TensorName tensor_name(const YamlReader& value) {
    return {reference(value, "a tensor"), std::nullopt};
}

TensorName made_tensor(const PlacedText& name) {
    Formula tensor = parse_formula(name);
    new_name({base_name(tensor), name.place, false}, "a tensor");
    return {std::move(tensor), std::nullopt};
}

std::vector<TensorName> tensor_names(const YamlReader& value) {
    std::vector<TensorName> all;
    for (const YamlReader& each : value.one_or_more()) {
        all.push_back(tensor_name(each));
    }
    return all;
}

Allocation allocation(const YamlReader::Entry& entry) {
    return {made_tensor(entry.key), formula(entry.value, "a size")};
}

Arguments arguments(const YamlReader& map) {
    Arguments all;
    if (const std::optional<YamlReader> with = map.find("with")) {
        for (const YamlReader::Entry& entry : with->few_entries("a map of arguments")) {
            all.emplace_back(entry.key, formula(entry.value, "an argument"));
        }
    }
    return all;
}

std::vector<PlacedText> names(const YamlReader& list, std::string_view what) {
    std::vector<PlacedText> all;
    for (const YamlReader& name : list.items("a list of names")) {
        all.push_back(new_name(name.scalar("a name"), what));
        if (all.size() > YamlReader::kMaxNames) {
            throw InputError(name.place(),
                             fmt::format("more than {} parameters", YamlReader::kMaxNames),
                             "give it fewer");
        }
    }
    return all;
}

bool is_plain_name(const std::string& text) {
    return is_name(text);
}

std::string choice_of(const YamlReader& value, const std::vector<std::string>& words) {
    const PlacedText& word = value.scalar("a word");
    if (std::find(words.begin(), words.end(), word.text) == words.end()) {
        throw InputError(word.place,
                         fmt::format("`{}` where one of a few words should be", quoted(word.text)),
                         suggestion(word.text, words, "write another"));
    }
    return word.text;
}

PlacedText new_name(const PlacedText& name, std::string_view what) {
    if (!is_name(name.text)) {
        throw InputError(name.place,
                         fmt::format("{} is named `{}`", what, quoted(name.text)),
                         "use letters, digits and `_`, a letter first");
    }
    if (is_reserved(name.text)) {
        throw InputError(name.place,
                         fmt::format("{} is named `{}`, a word of the language", what, name.text),
                         "choose another name");
    }
    return name;
}

Value literal(const PlacedText& text) {
    try {
        const Expression tree = parse_expression(text.text);
        const auto* value = std::get_if<Expression::Literal>(&tree.root().what);
        return value != nullptr ? value->value : Value{text.text};
    } catch (const ExpressionError&) {
        return text.text;  // `per-layer`, `8 heads`: a text
    }
}

}  // namespace highwater::parse
