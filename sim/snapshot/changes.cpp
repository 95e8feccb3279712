#include "sim/snapshot/changes.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

std::vector<std::string_view> split_at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

std::optional<std::size_t> count_in(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size() && number > 0;
    return is_whole ? std::optional(number) : std::nullopt;
}

struct KeySince {
    std::string_view key;
    unsigned minor;
};
// The releases 2.6 to 2.11 place blocks alike, as far as is known; they differ in what can be set.
constexpr unsigned kOldest = 6;
constexpr unsigned kNewest = 11;
constexpr std::array<KeySince, 3> kKeys{{{"graph_capture_record_stream_reuse", 10},
                                         {"per_process_memory_fraction", 10},
                                         {"large_segment_size_mb", 11}}};

}  // namespace

PoolChange parse_pool_change(std::string_view text, const std::string& option) {
    if (text == "shared") {
        return PoolChange::kShared;
    }
    if (text == "per-graph") {
        return PoolChange::kPerGraph;
    }
    if (text == "none") {
        return PoolChange::kNone;
    }
    throw InputError({option},
                     fmt::format("`{}` is no way to share pools", text),
                     "give shared, per-graph or none");
}

CaptureOrderChange parse_capture_order(std::string_view text, const std::string& option) {
    if (text == "asc") {
        return SizeOrder::kAscending;
    }
    if (text == "desc") {
        return SizeOrder::kDescending;
    }
    std::vector<std::size_t> numbers;
    for (const std::string_view part : split_at_commas(text)) {
        const auto number = count_in(part);
        if (!number) {
            throw InputError({option},
                             fmt::format("`{}` is no order of captures", text),
                             "give asc, desc, or the captures' numbers, as 3,1,2");
        }
        numbers.push_back(*number);
    }
    return numbers;
}

AllocatorSettings parse_conf(const std::string& conf, const std::string& option) {
    AllocatorSettings settings;
    try {
        settings = parse_settings(conf);
    } catch (const SettingsError& error) {
        throw InputError({option}, error.what(), "PyTorch refuses it too; correct it");
    }
    if (settings.backend != AllocatorBackend::kNative) {
        throw InputError({option},
                         "backend:cudaMallocAsync keeps no memory history to be replayed",
                         "leave the backend out");
    }
    return settings;
}

void check_profile(const std::string& profile,
                   const AllocatorSettings& settings,
                   const std::string& option) {
    if (profile.empty()) {
        return;
    }
    constexpr std::string_view kPrefix = "torch-2.";
    const auto minor = profile.starts_with(kPrefix)
                           ? count_in(std::string_view(profile).substr(kPrefix.size()))
                           : std::nullopt;
    if (!minor || *minor < kOldest || *minor > kNewest) {
        throw InputError(
            {option},
            fmt::format("the rules of `{}` are not simulated", profile),
            fmt::format("give torch-2.{} to torch-2.{}; older ones lack rules that are simulated, "
                        "and programs ask later ones for other memory than was recorded",
                        kOldest,
                        kNewest));
    }
    for (const KeySince& known : kKeys) {
        if (*minor < known.minor && settings.conf.find(known.key) != std::string::npos) {
            throw InputError({option},
                             fmt::format("{} does not know {}", profile, known.key),
                             fmt::format("leave it out, or give torch-2.{}", known.minor));
        }
    }
}

}  // namespace highwater
