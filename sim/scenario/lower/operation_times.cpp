#include "sim/scenario/lower/operation_times.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr std::string_view kDefaultDtype = "bf16";
// More than any card does in an hour.
constexpr double kMostWork = 1e21;

constexpr double kNanosecondsASecond = 1e9;

double nanoseconds_of(double amount, double per_second) {
    return per_second > 0 ? amount / per_second * kNanosecondsASecond : 0;
}

Duration duration_of(double nanoseconds, const SourcePlace& place) {
    if (nanoseconds > double(kMaxDuration / Duration{1})) {
        throw InputError(place,
                         fmt::format("the work lasts {:.4g} s, and no operation may last longer "
                                     "than an hour",
                                     nanoseconds / kNanosecondsASecond),
                         "give it less work, or make several operations of it");
    }
    return Duration{std::llround(nanoseconds)};
}

}  // namespace

double OperationTimes::number(const Formula& formula, std::string_view what, double most) {
    const Value value = position_.value(formula);
    if (!is_number(value)) {
        throw InputError(formula.source.place,
                         fmt::format("{} is `{}`", what, quoted(to_text(value))),
                         "make it a number");
    }
    const double number = as_real(value);
    if (!(number >= 0 && number <= most)) {
        throw InputError(formula.source.place,
                         fmt::format("{} is {}", what, to_text(value)),
                         fmt::format("keep it between 0 and {}", most));
    }
    return number;
}

Duration OperationTimes::of(const Formula& duration) {
    const double nanoseconds =
        number(duration, "the duration in nanoseconds", double(kMaxDuration / Duration{1}));
    left_out_ += costs_ || nanoseconds == 0 ? 0U : 1U;
    return costs_ ? Duration{std::llround(nanoseconds)} : Duration{};
}

Duration OperationTimes::of(Bytes read_and_written) const {
    return duration_of(nanoseconds_of(double(read_and_written.count), memory_rate()),
                       position_.place);
}

double OperationTimes::flops_per_second(const KernelCost& cost) const {
    const std::string dtype = cost.dtype ? position_.word(*cost.dtype) : std::string(kDefaultDtype);
    const auto& rates = costs_->times.card.flops;
    const auto found = rates.find(dtype);
    if (found != rates.end()) {
        return found->second;
    }
    std::vector<std::string> known;
    for (const auto& [name, rate] : rates) {
        known.push_back(name);
    }
    throw InputError(
        cost.dtype ? cost.dtype->place : cost.flops->source.place,
        fmt::format("the cost profile `{}` has no rate for `{}`", costs_->name, quoted(dtype)),
        suggestion(dtype, known, "write a `duration` instead"));
}

// A kernel has its share of the card's rates, so that kernels side by side never exceed them.
Duration OperationTimes::longest(const KernelCost& cost, double width) {
    double work = 0;
    const SourcePlace* place = nullptr;
    const auto consider = [&](const Formula& of, double amount, double per_second) {
        const double nanoseconds = nanoseconds_of(amount, per_second);
        place = place == nullptr || nanoseconds > work ? &of.source.place : place;
        work = std::max(work, nanoseconds);
    };
    if (cost.flops) {
        const double flops = number(*cost.flops, "the count of operations", kMostWork);
        consider(*cost.flops, flops, costs_ ? flops_per_second(cost) * width : 0);
    }
    if (cost.bytes) {
        const double bytes = number(*cost.bytes, "the count of bytes", kMostWork);
        consider(*cost.bytes, bytes / width, memory_rate());
    }
    left_out_ += costs_ || !(cost.flops || cost.bytes) ? 0U : 1U;
    const Duration given = of(cost.duration);
    if (!costs_ || place == nullptr) {
        return given;
    }
    const double base = double(costs_->times.card.kernel_base / Duration{1});
    return std::max(given, duration_of(base + work, *place));
}

void OperationTimes::set(op::Kernel& kernel, const KernelCost& cost) {
    const double width = cost.width ? width_of(*cost.width) : 1;
    kernel.width = static_cast<float>(width);
    kernel.duration = longest(cost, width);
}

double OperationTimes::share(const Formula& formula) {
    return number(formula, "the share", 1);
}

double OperationTimes::width_of(const Formula& formula) {
    constexpr double kLeast = 1.0 / 65'536;
    const double width = number(formula, "the width", 1);
    if (width < kLeast) {
        throw InputError(formula.source.place,
                         fmt::format("the width is {}", width),
                         "give the share of the card that the kernel can use, such as 0.25");
    }
    return width;
}

}  // namespace highwater
