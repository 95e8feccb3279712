#include "gpu/calibrate/asides.hpp"

#include <fmt/format.h>

#include "gpu/calibrate/figures.hpp"

namespace highwater::gpu {
namespace {

const auto kLongSpinTime = static_cast<double>(kLongSpin.count());

class Asides {
  public:
    explicit Asides(const Samples& samples) : times_(samples) {}

    std::vector<std::string> all() {
        of_the_host();
        of_the_card();
        return asides_;
    }

  private:
    void aside(const std::string& what, const std::string& value) {
        asides_.push_back(fmt::format("{}: {}", what, value));
    }

    void aside_time(const std::string& what, const Series& series) {
        if (const std::optional<Spread> spread = spread_of(series)) {
            aside(what, microseconds(spread->median));
        }
    }

    void aside_rate(const std::string& what, const Series& series) {
        if (const std::optional<Spread> spread = spread_of(series)) {
            aside(what, fmt::format("{} B/s", rate(spread->median)));
        }
    }

    void of_the_host() {
        aside_time("cudaLaunchKernel into an idle stream", times_.at(Timed::kLaunchIdle));
        aside_time("cudaEventRecord", times_.at(Timed::kRecordEvent));
        aside_time("cudaStreamWaitEvent", times_.at(Timed::kWaitEvent));
        aside_time("a capture of one kernel, begin and end", times_.at(Timed::kCapture));
        for (const std::uint64_t n : times_.tried(Timed::kReserve)) {
            aside_time(fmt::format("cuMemAddressReserve of {}", exact_size(Bytes{n})),
                       times_.at(Timed::kReserve, n));
        }
        behind_work("cudaMalloc", Timed::kMallocBehindWork);
        behind_work("cudaFree", Timed::kFreeBehindWork);
    }

    void behind_work(const std::string& call, Timed what) {
        for (const std::uint64_t n : times_.tried(what)) {
            if (const std::optional<Spread> spread = spread_of(times_.at(what, n))) {
                const bool waits = spread->median > static_cast<double>(n) / 2;
                aside(fmt::format("{} while the card has {} of work",
                                  call,
                                  microseconds(static_cast<double>(n))),
                      fmt::format("{}, so it {} for it",
                                  microseconds(spread->median),
                                  waits ? "waits" : "does not wait"));
            }
        }
    }

    void of_the_card() {
        aside_time("steps of the clock that kernels spin by, up to which gaps may be too small",
                   times_.at(Timed::kClockStep));
        aside_time("a copy of 4 B to the device", times_.each(Timed::kSmallToDevice));
        aside_time("a copy of 4 B to the host", times_.each(Timed::kSmallToHost));
        aside_time("a copy of 4 B within the device", times_.each(Timed::kSmallWithin));
        pageable("pageable, to the device", Timed::kPageableToDevice);
        pageable("pageable, to the host", Timed::kPageableToHost);
        for (const std::uint64_t n : times_.tried(Timed::kHalves)) {
            if (const std::optional<Spread> spread = spread_of(times_.at(Timed::kHalves, n))) {
                aside(fmt::format("{} kernels of half the card", n),
                      fmt::format("as long as {:.2f} of them", spread->median / kLongSpinTime));
            }
        }
        at_once();
        shared_bandwidth();
    }

    void pageable(const std::string& what, Timed which) {
        for (const std::uint64_t n : times_.tried(which)) {
            aside_rate(what, rates(times_.at(which, n), static_cast<double>(n)));
        }
    }

    void at_once() {
        constexpr double kAlone = 1.5;
        std::uint64_t most = 0;
        for (const std::uint64_t n : times_.tried(Timed::kSmallAtOnce)) {
            const std::optional<Spread> spread = spread_of(times_.at(Timed::kSmallAtOnce, n));
            if (spread && spread->median < kAlone * kLongSpinTime) {
                most = n;
            }
        }
        if (most > 0) {
            aside("small kernels of as many streams that run at once",
                  fmt::format("at least {}", most));
        }
    }

    void shared_bandwidth() {
        for (const std::uint64_t n : times_.tried(Timed::kTwoAdditions)) {
            const auto bytes = static_cast<double>(2 * n);
            aside_rate("memory bandwidth of a kernel on half of the card",
                       rates(times_.at(Timed::kAdditionOnHalf, n), bytes));
            aside_rate("of two such at once, together",
                       rates(times_.at(Timed::kTwoAdditions, n), 2 * bytes));
        }
    }

    TimeFigures times_;
    std::vector<std::string> asides_;
};

}  // namespace

std::vector<std::string> asides_of(const Samples& samples) {
    return Asides(samples).all();
}

}  // namespace highwater::gpu
