#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// A parameter, or a set of buckets, that is searched from `least` to `most`.
struct ParameterRange {
    std::string name;
    std::int64_t least = 1;
    std::int64_t most = 0;
};

/// A number for a parameter, or for the largest bucket of a set that has the name.
struct Setting {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const Setting&, const Setting&) = default;
};

/// A scenario whose numbers are being searched.
class SettableScenario {
  public:
    /// `option`: where the numbers come from, for messages. The scenario outlives it.
    SettableScenario(const Scenario& scenario,
                     std::span<const Override> overrides,
                     std::string option);

    /// Throws `InputError` for a name that is neither a parameter nor a set of buckets, and for a
    /// number that the scenario does not take.
    Lowered lowered_with(std::span<const Setting> settings) const;
    /// The values of the parameters with the settings.
    ParameterValues values_with(std::span<const Setting> settings) const;
    /// What the scenario itself has there; none if that is no whole number.
    std::optional<std::int64_t> own_value(const std::string& name) const;
    /// Of a set of buckets the largest that there is up to the number; else the number.
    std::int64_t reachable(const std::string& name, std::int64_t number) const;
    const Scenario& scenario() const { return scenario_; }
    const CostProfile* costs() const;

  private:
    Scenario limited(std::span<const Setting> settings) const;
    bool is_parameter(const std::string& name) const;
    /// None if there is no such set.
    std::optional<std::size_t> bucket_set(const std::string& name) const;

    const Scenario& scenario_;
    std::vector<Override> overrides_;
    std::string option_;
};

}  // namespace highwater::plan
