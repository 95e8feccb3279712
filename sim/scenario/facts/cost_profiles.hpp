#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/driver/cost_profile.hpp"

namespace highwater {

/// A file of `scenarios/presets/cost_profiles`. Times have units (`0.37 us`), sizes too (`2 MiB`);
/// rates are plain numbers a second. With `extends: NAME` it says only what is not as in that
/// profile, one of those compiled in. `file` is for messages. Throws `InputError` at the place of
/// what is missing, unknown, negative or not a number.
CostProfile parse_cost_profile(const std::string& text,
                               const std::string& name,
                               const std::string& file);
inline CostProfile parse_cost_profile(const std::string& text, const std::string& name) {
    return parse_cost_profile(text, name, name + ".yaml");
}

/// All that a profile says, as paths: `times.host.launch`.
std::vector<std::string> cost_profile_terms();

/// Of those compiled in.
std::optional<CostProfile> find_cost_profile(std::string_view name);
std::vector<std::string> cost_profile_names();

}  // namespace highwater
