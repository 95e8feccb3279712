#include "sim/snapshot/why/advise.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "sim/allocator/settings.hpp"
#include "sim/allocator/settings_error.hpp"

namespace highwater {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    const std::size_t end = text.find_last_not_of(' ');
    return begin == std::string_view::npos ? "" : text.substr(begin, end - begin + 1);
}

// The options of a settings' text: commas inside brackets belong to a value.
std::vector<std::string_view> options_of(std::string_view conf) {
    std::vector<std::string_view> options;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= conf.size(); ++i) {
        const char c = i < conf.size() ? conf[i] : ',';
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && (depth <= 0 || i == conf.size())) {
            if (const auto option = trimmed(conf.substr(begin, i - begin)); !option.empty()) {
                options.push_back(option);
            }
            begin = i + 1;
        }
    }
    return options;
}

std::string_view key_of(std::string_view option) {
    return trimmed(option.substr(0, option.find(':')));
}

struct Option {
    std::string_view key;
    std::string_view value;
};

constexpr std::array kOptions{
    Option{"expandable_segments", "True"},
    Option{"max_split_size_mb", "32"},
    Option{"max_split_size_mb", "64"},
    Option{"max_split_size_mb", "128"},
    Option{"max_split_size_mb", "256"},
    Option{"max_split_size_mb", "512"},
    Option{"roundup_power2_divisions", "4"},
    Option{"roundup_power2_divisions", "8"},
    Option{"roundup_power2_divisions", "16"},
    Option{"large_segment_size_mb", "64"},
    Option{"large_segment_size_mb", "256"},
};

bool is_taken(const std::string& conf) {
    try {
        parse_settings(conf);
        return true;
    } catch (const SettingsError&) {
        return false;
    }
}

std::int64_t difference(Bytes before, Bytes after) {
    return static_cast<std::int64_t>(before.count - after.count);
}

}  // namespace

std::string with_option(std::string_view conf, std::string_view key, std::string_view value) {
    std::string result;
    for (const std::string_view option : options_of(conf)) {
        if (key_of(option) != key) {
            result += fmt::format("{},", option);
        }
    }
    return result + fmt::format("{}:{}", key, value);
}

std::vector<Remedy> possible_remedies(const RemedyFacts& facts) {
    std::vector<Remedy> remedies;
    const std::vector<std::string_view> in_force = options_of(facts.conf);
    for (const auto& [key, value] : kOptions) {
        const std::string option = fmt::format("{}:{}", key, value);
        const std::string conf = with_option(facts.conf, key, value);
        if (std::ranges::find(in_force, option) == in_force.end() && is_taken(conf)) {
            remedies.push_back({.text = fmt::format("set {}", option), .conf = conf});
        }
    }
    if (facts.side_streams > 1) {
        remedies.push_back({.text = "use one side stream in place of all",
                            .conf = {},
                            .shares_side_stream = true});
    }
    if (facts.private_pools > 1) {
        remedies.push_back(
            {.text = "capture all graphs into one pool", .conf = {}, .shares_pool = true});
    }
    if (facts.has_waiting_frees) {
        remedies.push_back({.text = "order the streams by events in place of record_stream",
                            .conf = {},
                            .drops_record_stream = true});
    }
    return remedies;
}

std::vector<Advice> advise(
    const ReservedOutcome& recorded,
    const std::vector<Remedy>& remedies,
    const std::function<std::optional<ReservedOutcome>(const Remedy&)>& run) {
    std::vector<Advice> all;
    for (const Remedy& remedy : remedies) {
        const std::optional<ReservedOutcome> outcome = run(remedy);
        if (!outcome) {
            continue;
        }
        const std::int64_t at_peak = difference(recorded.peak, outcome->peak);
        const std::int64_t at_end = difference(recorded.end, outcome->end);
        if (at_peak > 0 || (at_peak == 0 && at_end > 0)) {
            all.push_back({remedy, *outcome, at_peak, at_end});
        }
    }
    std::ranges::stable_sort(all, [](const Advice& a, const Advice& b) {
        return std::tie(a.saved_at_peak, a.saved_at_end) >
               std::tie(b.saved_at_peak, b.saved_at_end);
    });
    return all;
}

}  // namespace highwater
