#include "sim/scenario/result/figures.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace highwater {
namespace {

constexpr std::string_view kPeak = "peak_";

struct NamedTime {
    std::string_view name;
    Duration Moment::*value;
};
constexpr std::array<NamedTime, 3> kTimes{{{"card_busy_ns", &Moment::card_busy},
                                           {"host_bound_ns", &Moment::host_bound},
                                           {"host_waited_ns", &Moment::host_waited}}};
constexpr std::string_view kTime = "time_ns";
constexpr std::string_view kDriver = "driver_bytes";
constexpr std::string_view kDriverError = "driver_error_bytes";
constexpr std::string_view kElapsed = "elapsed_ns";
constexpr std::string_view kHostBoundShare = "host_bound_share";
constexpr std::string_view kFailed = "failed";
constexpr std::string_view kOutOfMemory = "out_of_memory";
constexpr std::string_view kCudaError = "cuda_error";

std::optional<std::uint64_t> find_statistic(const MemoryStats& stats, std::string_view name) {
    const bool is_peak = name.starts_with(kPeak);
    const std::string_view statistic = is_peak ? name.substr(kPeak.size()) : name;
    for (const NamedStatByPool& each : kStatsByPool) {
        if (each.name == statistic) {
            const Stat& all = (stats.*each.value).all;
            return is_peak ? all.peak : all.current;
        }
    }
    for (const NamedCount& each : kCounts) {
        if (each.name == name) {
            return stats.*each.value;
        }
    }
    return std::nullopt;
}

std::int64_t error_number(const Failure& failure) {
    return failure.cuda_error ? static_cast<std::int64_t>(*failure.cuda_error) : 0;
}

}  // namespace

Moment moment_of(const CheckpointRow& checkpoint) {
    return {checkpoint.stats,
            checkpoint.time,
            checkpoint.card_busy,
            checkpoint.host_bound,
            checkpoint.host_waited,
            checkpoint.driver,
            checkpoint.driver_error};
}

Moment moment_of_end(const Ledger& ledger) {
    const RunTimes times = ledger.times.value_or(RunTimes{});
    return {ledger.result,
            times.end,
            times.card_busy,
            times.host_bound,
            times.host_waited,
            driver_total(ledger),
            driver_error(ledger)};
}

Value as_value(std::uint64_t figure) {
    const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(figure, limit));
}

std::optional<Value> find_figure(const Moment& moment, std::string_view name) {
    if (name == kTime) {
        return nanoseconds_of(moment.time);
    }
    for (const NamedTime& each : kTimes) {
        if (each.name == name) {
            return std::int64_t{(moment.*each.value).count()};
        }
    }
    if (is_figure_of_driver(name)) {
        return as_value((name == kDriver ? moment.driver : moment.driver_error).count);
    }
    const std::optional<std::uint64_t> statistic = find_statistic(moment.stats, name);
    return statistic ? std::optional(as_value(*statistic)) : std::nullopt;
}

std::vector<std::string> figure_names() {
    std::vector<std::string> names;
    for (const NamedStatByPool& each : kStatsByPool) {
        names.emplace_back(each.name);
    }
    for (const NamedStatByPool& each : kStatsByPool) {
        names.push_back(std::string(kPeak) + std::string(each.name));
    }
    for (const NamedCount& each : kCounts) {
        names.emplace_back(each.name);
    }
    names.emplace_back(kTime);
    for (const NamedTime& each : kTimes) {
        names.emplace_back(each.name);
    }
    names.emplace_back(kDriver);
    names.emplace_back(kDriverError);
    return names;
}

bool is_figure_of_driver(std::string_view name) {
    return name == kDriver || name == kDriverError;
}

std::optional<Value> find_figure_of_end(const Moment& end, std::string_view name) {
    const std::int64_t elapsed = nanoseconds_of(end.time);
    if (name == kElapsed) {
        return elapsed;
    }
    if (name == kHostBoundShare) {
        return elapsed == 0
                   ? 0.0
                   : static_cast<double>(end.host_bound.count()) / static_cast<double>(elapsed);
    }
    return std::nullopt;
}

std::vector<std::string> figure_names_of_end() {
    return {std::string(kElapsed), std::string(kHostBoundShare)};
}

// Of several of one name, the first that failed.
std::optional<Value> find_figure_of_try(const Ledger& ledger,
                                        const std::string& tried,
                                        std::string_view name) {
    const auto failure = std::find_if(ledger.caught.begin(),
                                      ledger.caught.end(),
                                      [&](const Failure& each) { return each.tried == tried; });
    const bool has_failed = failure != ledger.caught.end();
    if (name == kFailed) {
        return has_failed;
    }
    if (name == kOutOfMemory) {
        return has_failed && failure->kind == Failure::Kind::kOutOfMemory;
    }
    if (name == kCudaError) {
        return has_failed ? error_number(*failure) : 0;
    }
    return std::nullopt;
}

std::vector<std::string> figure_names_of_try() {
    return {std::string(kFailed), std::string(kOutOfMemory), std::string(kCudaError)};
}

}  // namespace highwater
