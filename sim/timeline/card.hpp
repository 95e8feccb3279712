#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/time.hpp"

namespace highwater {

/// A part of the card's multiprocessors, in 65,536ths: integers, so that sums are exact.
enum class Share : std::uint32_t {};
inline constexpr Share kWholeCard{65'536};

/// Of a width above 0 and at most 1; never nothing.
Share share_of(float width);

/// The card's multiprocessors, shared by the kernels that run. The one that began first takes what
/// it can use, the next takes of what is left, and so on: the block scheduler fills what earlier
/// kernels leave over. A kernel that gets less than its width takes longer in proportion; one that
/// gets nothing waits. So two kernels of width 1 take turns.
class Card {
  public:
    /// Who the kernel is, to whoever started it.
    using Ticket = std::uint64_t;

    /// `duration`: with all of `width` to itself. Not before `now()`.
    void start(Ticket ticket, Duration duration, Share width, Instant at);
    /// When the first of the running kernels will be done, if nothing else begins.
    std::optional<Instant> next_finish() const { return next_finish_; }
    /// Takes off the kernel that is done at `next_finish`; the earliest begun among several.
    Ticket finish();

    Instant now() const { return now_; }

  private:
    struct Running {
        Ticket ticket = 0;
        std::uint32_t width = 0;
        std::uint32_t share = 0;
        /// What is left to do: nanoseconds times 65,536ths of the card.
        std::uint64_t left = 0;
    };

    void advance(Instant to);
    void share_out();

    /// In the order in which they began.
    std::vector<Running> running_;
    Instant now_{};
    std::optional<Instant> next_finish_;
    std::size_t first_to_finish_ = 0;
};

}  // namespace highwater
