#include "sim/scenario/result/figures.hpp"

namespace highwater {
namespace {

constexpr std::string_view kPeak = "peak_";

}  // namespace

std::optional<std::uint64_t> find_figure(const MemoryStats& stats, std::string_view name) {
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

std::vector<std::string> figure_names() {
    std::vector<std::string> names;
    names.reserve(2 * kStatsByPool.size() + kCounts.size());
    for (const NamedStatByPool& each : kStatsByPool) {
        names.emplace_back(each.name);
    }
    for (const NamedStatByPool& each : kStatsByPool) {
        names.push_back(std::string(kPeak) + std::string(each.name));
    }
    for (const NamedCount& each : kCounts) {
        names.emplace_back(each.name);
    }
    return names;
}

}  // namespace highwater
