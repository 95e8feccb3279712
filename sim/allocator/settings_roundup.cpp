#include <bit>
#include <cstdint>

#include "sim/allocator/settings_keys.hpp"

namespace highwater::settings_text {
namespace {

constexpr std::size_t kSlots = RoundupDivisions::kSlots;

std::uint64_t divisions_or_none(const Value& value) {
    const std::uint64_t divisions = value.to_integer();
    if (divisions != 0 && !std::has_single_bit(divisions)) {
        value.refuse("divisions are neither a power of two nor 0");
    }
    return divisions;
}

std::size_t slot_of_boundary(const Value& boundary) {
    const std::uint64_t mib = boundary.to_integer();
    if (!std::has_single_bit(mib)) {
        boundary.refuse("MiB is a boundary that is not a power of two");
    }
    return RoundupDivisions::slot_of_mib(mib);
}

/// The list `[boundary:divisions,...]`, entry by entry.
class RoundupList {
  public:
    explicit RoundupList(RoundupDivisions& divisions) : divisions_(divisions) {}

    void add(const Value& boundary, const Value& value) {
        const std::uint64_t divisions = divisions_or_none(value);
        if (boundary.token.text == ">") {
            divisions_.fill(last_slot_ + 1, kSlots, divisions);
            return;
        }
        // Only the first boundary reaches down; between later ones, slots stay as they were.
        last_slot_ = slot_of_boundary(boundary);
        divisions_.fill(is_first_ ? 0 : last_slot_, last_slot_ + 1, divisions);
        is_first_ = false;
    }

  private:
    RoundupDivisions& divisions_;
    /// Of the last numeric boundary. It starts at 0, so `>` alone leaves slot 0 out.
    std::size_t last_slot_ = 0;
    bool is_first_ = true;
};

}  // namespace

void apply_roundup_divisions(RoundupDivisions& divisions, const Value& value, TokenReader& rest) {
    if (value.token.text != "[") {
        const std::uint64_t all = value.to_integer();
        if (!std::has_single_bit(all)) {
            value.refuse("divisions are not a power of two");
        }
        divisions.fill(0, kSlots, all);
        return;
    }
    RoundupList list(divisions);
    while (!rest.at_end()) {
        const Value boundary{value.key, rest.take()};
        if (boundary.token.text == "]") {
            return;
        }
        list.add(boundary, rest.take_value(value.key));
        if (rest.peek().text != "]") {
            rest.skip_separator();
        }
    }
    rest.refuse_open_list();
}

}  // namespace highwater::settings_text
