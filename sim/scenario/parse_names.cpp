#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/scenario/expression_error.hpp"
#include "sim/scenario/expression_functions.hpp"
#include "sim/scenario/expression_parser.hpp"
#include "sim/scenario/expression_tokens.hpp"
#include "sim/scenario/parse_parts.hpp"
#include "sim/scenario/suggestion.hpp"
#include "sim/scenario/units.hpp"

namespace highwater::parse {
namespace {

// `result` is the state after the last operation, `device` the card; `default` and `current` are
// streams.
constexpr std::array<std::string_view, 9> kReserved{
    "and", "or", "not", "true", "false", "result", "device", "default", "current"};

bool is_reserved(const std::string& name) {
    const std::vector<std::string>& functions = function_names();
    return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end() ||
           std::find(functions.begin(), functions.end(), name) != functions.end() ||
           unit_bytes(name).has_value();
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
