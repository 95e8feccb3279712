#pragma once

#include <chrono>

#include "sim/core/time.hpp"

namespace highwater::gpu {

/// Host time of a run. It stands still while the harness looks at figures, which the Program would
/// not do.
class RunClock {
  public:
    Instant now() const {
        return Instant{std::chrono::duration_cast<Duration>(Clock::now() - began_ - paused_)};
    }

    /// For as long as it lives.
    class Pause {
      public:
        explicit Pause(RunClock& clock) : clock_(clock), began_(Clock::now()) {}
        ~Pause() { clock_.paused_ += Clock::now() - began_; }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

      private:
        RunClock& clock_;
        std::chrono::steady_clock::time_point began_;
    };

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point began_ = Clock::now();
    Clock::duration paused_{};
};

}  // namespace highwater::gpu
