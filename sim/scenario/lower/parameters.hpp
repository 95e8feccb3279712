#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/expression/expression_evaluate.hpp"
#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// `name=value`, after `--set`. Splits at the first `=`. Throws `InputError` with the file "--set"
/// if there is none.
Override parse_override(std::string_view text);

/// Every parameter of a scenario with its value, in the order of the scenario.
class ParameterValues : public Scope {
  public:
    std::optional<Value> find(std::string_view name) const override;
    std::vector<std::string> names() const override;
    /// Figures of the device.
    std::optional<Value> find_member(const std::string& object,
                                     const std::string& field) const override;

    const std::vector<std::pair<std::string, Value>>& all() const { return values_; }
    void add(std::string name, Value value) {
        values_.emplace_back(std::move(name), std::move(value));
    }
    void add_device_figure(std::string field, Value value) {
        device_.emplace_back(std::move(field), std::move(value));
    }

  private:
    std::vector<std::pair<std::string, Value>> values_;
    std::vector<std::pair<std::string, Value>> device_;
};

/// The defaults, with the overrides in their place: a later one of the same name wins. Throws
/// `InputError`; for an override it is at its place.
ParameterValues resolve_parameters(const Scenario& scenario,
                                   std::span<const Override> overrides = {});

}  // namespace highwater
