#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::plan {

struct BatchCount {
    std::int64_t batch = 0;
    std::int64_t count = 0;
    friend bool operator==(const BatchCount&, const BatchCount&) = default;
};

/// How often batches of each size come: ascending, none twice, each count from 1.
using BatchHistogram = std::vector<BatchCount>;

/// In all, so that sums over rows, or over nanoseconds of replays, stay within 63 bits.
inline constexpr std::int64_t kMaxBatches = 1'000'000'000;
/// What a named distribution is dealt out to.
inline constexpr std::int64_t kDealtBatches = 1'000'000;

std::int64_t batches_in(const BatchHistogram& histogram);
/// The sum of their sizes.
std::int64_t rows_in(const BatchHistogram& histogram);

/// Lines of `batch,count`, both whole numbers; such a title, blank lines and `#` comments may be
/// there. `largest` is the largest batch that a bucket can hold. Throws `InputError` with the line.
BatchHistogram histogram_from_csv(std::string_view text,
                                  const std::string& file,
                                  std::int64_t largest);

/// Is it `uniform:...` or another that `histogram_of` knows, rather than a file?
bool is_distribution(std::string_view text);

/// `uniform:FIRST..LAST`, `geometric:MEAN`, `poisson:MEAN` or `lognormal:MEDIAN,SIGMA`, of batches
/// from 1 to `largest`: what is beyond is left out. So many of `kDealtBatches` as the distribution
/// gives them, rounded as its sums are, so that none is lost. Throws `InputError`.
BatchHistogram histogram_of(std::string_view distribution, std::int64_t largest);

}  // namespace highwater::plan
