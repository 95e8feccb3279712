#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/core/bytes.hpp"

namespace highwater {

/// The option `roundup_power2_divisions`: into how many steps each power of two is divided, for 16
/// ranges of sizes. 0 and 1 both mean plain rounding. Around-allocator specification 1.5.
class RoundupDivisions {
  public:
    static constexpr std::size_t kSlots = 16;

    /// The slot of sizes in [2^k MiB, 2^(k+1) MiB) is k; smaller sizes have slot 0, larger ones 15.
    static constexpr std::size_t slot_of(Bytes size) { return slot_of_mib(size.count >> 20); }
    /// The same for a whole number of MiB, however large.
    static constexpr std::size_t slot_of_mib(std::uint64_t mib) {
        const auto width = static_cast<std::size_t>(std::bit_width(mib));
        return std::clamp<std::size_t>(width, 1, kSlots) - 1;
    }

    std::uint64_t operator[](std::size_t slot) const { return slots_.at(slot); }
    std::uint64_t divisions_for(Bytes size) const { return slots_[slot_of(size)]; }
    /// Whether some size is rounded by divisions: false by default, and the common case.
    bool any() const { return any_; }

    void set(std::size_t slot, std::uint64_t divisions);
    /// Sets the slots of [first, last).
    void fill(std::size_t first, std::size_t last, std::uint64_t divisions);

    friend bool operator==(const RoundupDivisions&, const RoundupDivisions&) = default;

  private:
    std::array<std::uint64_t, kSlots> slots_{};
    /// Invariant: some slot is above 1.
    bool any_ = false;
};

}  // namespace highwater
