#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/driver/cost_profile.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// The most sequences of a length that a KV cache holds at once.
struct SequencesFit {
    std::int64_t length = 0;
    /// 0 if not even one fits.
    std::int64_t sequences = 0;
    /// Each takes whole blocks.
    std::int64_t tokens_each = 0;
    Bytes bytes;
    std::size_t runs = 0;
    friend bool operator==(const SequencesFit&, const SequencesFit&) = default;
};

/// None if the scenario has no KV cache. Found by runs: one more does not fit.
std::optional<SequencesFit> most_sequences(const Lowered& lowered,
                                           std::int64_t length,
                                           const CostProfile* costs);

}  // namespace highwater::plan
