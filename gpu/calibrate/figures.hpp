#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpu/calibrate/fit.hpp"
#include "gpu/calibrate/samples.hpp"

namespace highwater::gpu {

/// A figure for each repetition, where it could be had.
using Series = std::vector<std::optional<double>>;

/// The times of a set of samples. Nanoseconds.
class TimeFigures {
  public:
    explicit TimeFigures(const Samples& samples) : samples_(samples) {}

    /// Of that probe.
    Series at(Timed what, std::uint64_t n = 1) const;
    /// How much more each one more takes, by a line through all `n`.
    Series each(Timed what) const;
    /// Those `n` that were tried, rising.
    std::vector<std::uint64_t> tried(Timed what) const;

  private:
    const Samples& samples_;
};

/// Repetition by repetition, where both are there.
Series combined(const Series& a, const Series& b, const std::function<double(double, double)>& of);
Series changed(const Series& series, const std::function<double(double)>& how);

/// Bytes a second, where the series is nanoseconds for so many bytes.
Series rates(const Series& times, double bytes = 1);

/// Of those that are there; none if there are none.
std::optional<Spread> spread_of(const Series& series);

/// "3.1 us", in three digits.
std::string microseconds(double nanoseconds);
/// "53.2e9", in three digits.
std::string rate(double per_second);
/// "552402944 B" or, where that is as exact, "2 MiB".
std::string exact_size(Bytes size);
/// "cudaMalloc; median of 5, 3.0 us to 3.3 us".
std::string source(const std::string& how,
                   std::size_t repeats,
                   const Spread& spread,
                   const std::function<std::string(double)>& text);

}  // namespace highwater::gpu
