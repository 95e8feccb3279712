#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "sim/core/bytes.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/program.hpp"
#include "sim/scenario/description/step_parts.hpp"
#include "sim/scenario/lower/position.hpp"

namespace highwater {

/// How long a scenario's operations last. Without a cost profile no time passes: then durations are
/// looked at, and left out.
class OperationTimes {
  public:
    /// Both outlive it.
    OperationTimes(const std::optional<CostProfile>& costs, Position& position)
        : costs_(costs), position_(position) {}

    /// Gives the kernel what its cost says: the longer of the duration and of its work: what any
    /// kernel takes, and flops or bytes at the card's rates, whichever takes longer (Williams,
    /// Waterman, Patterson: Roofline, 2009). Throws `InputError`.
    void set(op::Kernel& kernel, const KernelCost& cost);

    /// In whole nanoseconds, up to `kMaxDuration`. Throws `InputError`.
    Duration of(const Formula& duration);
    /// 0 where none is given.
    Duration of(const std::optional<Formula>& duration) {
        return duration ? of(*duration) : Duration{};
    }
    /// Not a time: a share of something, from 0 to 1. Throws `InputError`.
    double share(const Formula& formula);
    /// Of memory traffic. Throws `InputError`.
    Duration of(Bytes read_and_written) const;

    /// How many times, and how much work, were left out because there is no cost profile.
    std::size_t left_out() const { return left_out_; }

  private:
    double number(const Formula& formula, std::string_view what, double most);
    double memory_rate() const { return costs_ ? costs_->times.card.memory_bandwidth : 0; }
    double flops_per_second(const KernelCost& cost) const;
    Duration longest(const KernelCost& cost, double width);
    double width_of(const Formula& formula);

    const std::optional<CostProfile>& costs_;
    Position& position_;
    std::size_t left_out_ = 0;
};

}  // namespace highwater
