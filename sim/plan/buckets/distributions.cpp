// The named distributions of `histogram_of`.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/plan/buckets/histogram.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::plan {
namespace {

// The share of batches of at most n; only its differences matter.
using Cumulative = std::function<double(std::int64_t)>;

struct NumberRange {
    double least;
    double most;
};

constexpr const char* kForms =
    "write `uniform:1..256`, `geometric:MEAN`, `poisson:MEAN` or `lognormal:MEDIAN,SIGMA`";

class DistributionReader {
  public:
    explicit DistributionReader(std::string_view text)
        : text_(text), name_(text.substr(0, text.find(':'))) {
        rest_ = text.substr(std::min(name_.size() + 1, text.size()));
    }

    Cumulative read(std::int64_t largest) {
        if (name_ == "uniform") {
            return uniform(largest);
        }
        if (name_ == "geometric") {
            return geometric();
        }
        return name_ == "poisson" ? poisson(largest) : lognormal();
    }

  private:
    Cumulative uniform(std::int64_t largest) {
        const NumberRange whole{1, static_cast<double>(largest)};
        const double first = std::floor(number_before("..", whole));
        const double last = std::floor(number_before("", {first, whole.most}));
        return [=](std::int64_t n) {
            return std::clamp((static_cast<double>(n) - first + 1) / (last - first + 1), 0.0, 1.0);
        };
    }

    // Of the tries until the first success, which come to 1 at least.
    Cumulative geometric() {
        constexpr double kMost = 1e9;
        const double failure = 1 - 1 / number_before("", {1, kMost});
        return [=](std::int64_t n) { return 1 - std::pow(failure, static_cast<double>(n)); };
    }

    // There are no batches of 0: those are left out.
    Cumulative poisson(std::int64_t largest) {
        constexpr double kMost = 1e6;
        const double mean = number_before("", {0.001, kMost});
        std::vector<double> sums{0};
        for (std::int64_t n = 1; n <= largest; ++n) {
            const auto batch = static_cast<double>(n);
            sums.push_back(sums.back() +
                           std::exp(batch * std::log(mean) - mean - log_factorial(n)));
        }
        return
            [sums = std::move(sums)](std::int64_t n) { return sums[static_cast<std::size_t>(n)]; };
    }

    // Rounded to whole numbers; what is below 1 becomes 1.
    Cumulative lognormal() {
        constexpr double kMostMedian = 1e6;
        constexpr double kMostSigma = 10;
        const double median = number_before(",", {0.001, kMostMedian});
        const double sigma = number_before("", {0.001, kMostSigma});
        return [=](std::int64_t n) {
            if (n < 1) {
                return 0.0;
            }
            const double log = std::log((static_cast<double>(n) + 0.5) / median);
            return std::erfc(-log / (sigma * std::sqrt(2.0))) / 2;
        };
    }

    // One after the other, so that the sums are made once.
    double log_factorial(std::int64_t n) {
        log_factorial_ += std::log(static_cast<double>(n));
        return log_factorial_;
    }

    // Takes a number off the rest; an empty separator is the end.
    double number_before(std::string_view separator, NumberRange range) {
        const std::size_t end = separator.empty() ? rest_.size() : rest_.find(separator);
        const std::string_view digits = rest_.substr(0, std::min(end, rest_.size()));
        double number = 0;
        const auto [stop, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (end == std::string_view::npos || error != std::errc{} ||
            stop != digits.data() + digits.size() || !std::isfinite(number)) {
            throw InputError(
                {"--buckets-for"}, fmt::format("`{}` is no distribution", quoted(text_)), kForms);
        }
        if (number < range.least || number > range.most) {
            throw InputError({"--buckets-for"},
                             fmt::format("{} in `{}`", digits, quoted(text_)),
                             fmt::format("write from {:g} to {:.0f}", range.least, range.most));
        }
        rest_.remove_prefix(std::min(end + separator.size(), rest_.size()));
        return number;
    }

    std::string_view text_;
    std::string_view name_;
    std::string_view rest_;
    double log_factorial_ = 0;
};

}  // namespace

bool is_distribution(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    return name.size() < text.size() &&
           (name == "uniform" || name == "geometric" || name == "poisson" || name == "lognormal");
}

BatchHistogram histogram_of(std::string_view distribution, std::int64_t largest) {
    const Cumulative share = DistributionReader(distribution).read(largest);
    const double none = share(0);
    const double all = share(largest) - none;
    if (!(all > 0)) {
        throw InputError(
            {"--buckets-for"},
            fmt::format("`{}` has no batches from 1 to {}", quoted(distribution), largest),
            "write a smaller one, or name larger candidates: `--bucket-candidates`");
    }
    BatchHistogram histogram;
    std::int64_t dealt = 0;
    for (std::int64_t batch = 1; batch <= largest; ++batch) {
        const double part = (share(batch) - none) / all;
        const std::int64_t until = std::llround(part * static_cast<double>(kDealtBatches));
        if (until > dealt) {
            histogram.push_back({batch, until - dealt});
            dealt = until;
        }
    }
    return histogram;
}

}  // namespace highwater::plan
