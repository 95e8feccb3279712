#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater::plan {

/// A card that highwater knows, and whether a scenario runs to its end with that memory.
struct KnownCard {
    std::string name;
    Bytes capacity;
    bool fits = false;
    /// Of the KV cache that the scenario takes there itself; none without one.
    std::optional<std::int64_t> kv_tokens{};
    friend bool operator==(const KnownCard&, const KnownCard&) = default;
};

/// The least memory of a card with which a scenario runs to its end.
struct SmallestCard {
    /// A whole number of MiB: with one less it does not fit. None if none is large enough.
    std::optional<Bytes> capacity;
    /// As on a known card: with `tokens: rest` that may be a single block.
    std::optional<std::int64_t> kv_tokens;
    /// Smallest first.
    std::vector<KnownCard> known;
    std::size_t runs = 0;
};

/// Of cards that differ from the scenario's in their memory alone; what the scenario says of it
/// does not count. Throws `InputError` for a scenario that cannot be on one of them.
SmallestCard smallest_card(const Scenario& scenario, std::span<const Override> overrides);

}  // namespace highwater::plan
