#pragma once

#include <cstddef>
#include <span>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// The pools of graphs by a rule of thumb, beside what they need.
struct ThumbRule {
    /// The most that one of the captured passes has allocated beyond what was there, run eagerly.
    Bytes eager_peak;
    /// 1.3 times that.
    Bytes rule;
    /// What all private pools have reserved once the captures are done.
    Bytes need;
    std::size_t passes = 0;
    /// Whether one of the two runs did not come to its end: its figure is only what it reached.
    bool is_cut_short = false;
    bool holds() const { return need <= rule; }
    friend bool operator==(const ThumbRule&, const ThumbRule&) = default;
};

/// The same operations up to the last capture, the captures run eagerly.
Program eager_program(const Lowered& lowered);

/// By two runs, with and without captures. Throws `InputError` if the scenario captures nothing.
ThumbRule thumb_rule(const Lowered& lowered, const CostProfile* costs);

ThumbRule thumb_rule(const Scenario& scenario, std::span<const Override> overrides);

}  // namespace highwater::plan
