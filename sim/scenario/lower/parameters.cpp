#include "sim/scenario/lower/parameters.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/facts/device_figures.hpp"
#include "sim/scenario/lower/parameter_unit.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using Kind = Parameter::Kind;

const SourcePlace kCommandLine{"--set"};

constexpr std::array<std::string_view, 4> kKindNames{
    "a number", "an integer", "true or false", "a text"};

std::string_view name_of(Kind kind) {
    return kKindNames.at(static_cast<std::size_t>(kind));
}

bool is_of(Kind kind, const Value& value) {
    switch (kind) {
        case Kind::kNumber:
            return is_number(value);
        case Kind::kInteger:
            return whole_number(value).has_value();
        case Kind::kBoolean:
            return std::holds_alternative<bool>(value);
        case Kind::kText:
            return std::holds_alternative<std::string>(value);
    }
    return false;
}

Kind kind_of_default(const Value& value) {
    if (is_number(value)) {
        return Kind::kNumber;
    }
    return std::holds_alternative<bool>(value) ? Kind::kBoolean : Kind::kText;
}

bool are_equal(const Value& a, const Value& b) {
    return is_number(a) && is_number(b) ? std::get<bool>(binary_operation("==", a, b, 0)) : a == b;
}

std::string listed(const std::vector<Value>& values) {
    std::string text;
    for (const Value& value : values) {
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", quoted(to_text(value)));
    }
    return text;
}

std::optional<Value> value_named(const std::vector<std::pair<std::string, Value>>& values,
                                 std::string_view name) {
    for (const auto& [known, value] : values) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

class Resolver {
  public:
    Resolver(const Scenario& scenario, std::span<const Override> overrides)
        : scenario_(scenario), overrides_(overrides) {}

    ParameterValues resolve() {
        for (const Override& each : overrides_) {
            require_known(each);
        }
        add_device_figures(scenario_.machine, values_);
        for (const Parameter& parameter : scenario_.parameters) {
            values_.add(parameter.name.text, value_of(parameter));
        }
        add_computed_memory(scenario_.machine, values_);
        return std::move(values_);
    }

  private:
    void require_known(const Override& given) const {
        std::vector<std::string> known;
        for (const Parameter& parameter : scenario_.parameters) {
            known.push_back(parameter.name.text);
        }
        if (std::find(known.begin(), known.end(), given.name) == known.end()) {
            throw InputError(
                given.place,
                fmt::format("`{}` is no parameter of {}", quoted(given.name), scenario_.file),
                suggestion(given.name, known, "the scenario has none"));
        }
    }

    Value value_of(const Parameter& parameter) const {
        const Value fallback = default_of(parameter);
        const Kind kind = parameter.kind.value_or(kind_of_default(fallback));
        require_allowed(parameter, kind, fallback, parameter.name.place);
        const auto given =
            std::find_if(overrides_.rbegin(), overrides_.rend(), [&](const Override& each) {
                return each.name == parameter.name.text;
            });
        if (given == overrides_.rend()) {
            return normal(kind, fallback);
        }
        const Value value =
            kind == Kind::kText ? Value{given->value} : evaluated(*given, parameter, kind);
        require_allowed(parameter, kind, value, given->place);
        return normal(kind, value);
    }

    Value default_of(const Parameter& parameter) const {
        const auto* formula = std::get_if<Formula>(&parameter.fallback);
        return formula != nullptr ? evaluate(*formula, values_)
                                  : std::get<Value>(parameter.fallback);
    }

    // A number on the command line may be an expression too: `--set size=8MiB`.
    Value evaluated(const Override& given, const Parameter& parameter, Kind kind) const {
        const PlacedText text{given.value, given.place, false};
        require_unit(text, parameter.name.text, parameter.unit);
        const auto* fallback = std::get_if<Formula>(&parameter.fallback);
        if (parameter.unit.empty() && fallback != nullptr && is_plain_number(fallback->source)) {
            require_no_unit(text, parameter.name.text);
        }
        try {
            const Formula formula = parse_formula(text);
            require_names(formula, parameter, kind);
            return evaluate(formula, values_);
        } catch (const InputError& error) {
            throw InputError(
                given.place,
                fmt::format("`{}={}`: {}", given.name, quoted(given.value), error.problem()),
                error.remedy());
        }
    }

    void require_names(const Formula& given, const Parameter& parameter, Kind kind) const;

    // So that an integer prints as one, however it was reached.
    static Value normal(Kind kind, const Value& value) {
        return kind == Kind::kInteger ? Value{whole_number(value).value()} : value;
    }

    void require_allowed(const Parameter& parameter,
                         Kind kind,
                         const Value& value,
                         const SourcePlace& place) const;
    void require_between(const Parameter& parameter,
                         const Value& value,
                         const SourcePlace& place) const;

    const Scenario& scenario_;
    std::span<const Override> overrides_;
    ParameterValues values_;
};

// The file is right, and the command line is not: what to write there, not what to add here.
void Resolver::require_names(const Formula& given, const Parameter& parameter, Kind kind) const {
    for (const ExpressionNames::Use& use : names_in(given.tree, false).values) {
        if (values_.find(use.name) || unit_value(use.name)) {
            continue;
        }
        const std::vector<std::string> names = values_.names();
        std::vector<std::string_view> words(names.begin(), names.end());
        if (kind == Kind::kBoolean) {
            words = {"true", "false"};
        }
        const std::string possible =
            parameter.choices.empty() ? fmt::format("give it {}", name_of(kind))
                                      : fmt::format("choose one of {}", listed(parameter.choices));
        throw InputError(given.source.place,
                         fmt::format("unknown name `{}`", quoted(use.name)),
                         did_you_mean(use.name, words, possible));
    }
}

void Resolver::require_allowed(const Parameter& parameter,
                               Kind kind,
                               const Value& value,
                               const SourcePlace& place) const {
    if (!is_of(kind, value)) {
        throw InputError(
            place,
            fmt::format(
                "`{}` is {} (`{}`)", parameter.name.text, kind_of(value), quoted(to_text(value))),
            fmt::format("give it {}", name_of(kind)));
    }
    const bool is_choice = std::any_of(parameter.choices.begin(),
                                       parameter.choices.end(),
                                       [&](const Value& each) { return are_equal(each, value); });
    if (!parameter.choices.empty() && !is_choice) {
        throw InputError(place,
                         fmt::format("`{}` is `{}`", parameter.name.text, quoted(to_text(value))),
                         fmt::format("choose one of {}", listed(parameter.choices)));
    }
    require_between(parameter, value, place);
}

void Resolver::require_between(const Parameter& parameter,
                               const Value& value,
                               const SourcePlace& place) const {
    const auto breaks = [&](const std::optional<Formula>& bound, std::string_view comparison) {
        if (!bound) {
            return false;
        }
        const Value limit = evaluate(*bound, values_);
        if (!is_number(limit) || !is_number(value)) {
            throw InputError(bound->source.place,
                             "a bound is for numbers",
                             "make the bound and the parameter numbers, or drop it");
        }
        return std::get<bool>(binary_operation(comparison, value, limit, 0));
    };
    const bool too_small = breaks(parameter.min, "<");
    if (too_small || breaks(parameter.max, ">")) {
        const Formula& bound = too_small ? *parameter.min : *parameter.max;
        throw InputError(place,
                         fmt::format("`{}` is {}", parameter.name.text, to_text(value)),
                         fmt::format("keep it at {} {}",
                                     to_text(evaluate(bound, values_)),
                                     too_small ? "or more" : "or less"));
    }
}

}  // namespace

Override parse_override(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        throw InputError(kCommandLine,
                         fmt::format("`{}` sets nothing", quoted(text)),
                         "write `--set name=value`");
    }
    return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::optional<Value> ParameterValues::find(std::string_view name) const {
    return value_named(values_, name);
}

std::optional<Value> ParameterValues::find_member(const std::string& object,
                                                  const std::string& field) const {
    return object == kDeviceObject ? value_named(device_, field) : std::nullopt;
}

std::vector<std::string> ParameterValues::names() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : values_) {
        all.push_back(name);
    }
    return all;
}

ParameterValues resolve_parameters(const Scenario& scenario, std::span<const Override> overrides) {
    return naming_chains(scenario.sources, [&] { return Resolver(scenario, overrides).resolve(); });
}

}  // namespace highwater
