#include "sim/snapshot/why/advise.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

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
            remedies.push_back({.text = fmt::format("set {}", option),
                                .options = {{std::string(key), std::string(value)}},
                                .conf = conf});
        }
    }
    if (facts.side_streams > 1) {
        remedies.push_back({.text = "use one side stream in place of all",
                            .options = {},
                            .conf = {},
                            .shares_side_stream = true});
    }
    if (facts.private_pools > 1) {
        remedies.push_back({.text = "capture all graphs into one pool",
                            .options = {},
                            .conf = {},
                            .shares_pool = true});
    }
    if (facts.has_waiting_frees) {
        remedies.push_back({.text = "order the streams by events in place of record_stream",
                            .options = {},
                            .conf = {},
                            .drops_record_stream = true});
    }
    return remedies;
}

std::optional<Remedy> combined(const Remedy& one, const Remedy& other, std::string_view conf) {
    if ((one.shares_side_stream && other.shares_side_stream) ||
        (one.shares_pool && other.shares_pool) ||
        (one.drops_record_stream && other.drops_record_stream)) {
        return std::nullopt;
    }
    Remedy both = one;
    both.text += "; " + other.text;
    both.shares_side_stream |= other.shares_side_stream;
    both.shares_pool |= other.shares_pool;
    both.drops_record_stream |= other.drops_record_stream;
    for (const auto& [key, value] : other.options) {
        const auto same_key = [&key = key](const auto& option) { return option.first == key; };
        if (std::ranges::any_of(one.options, same_key)) {
            return std::nullopt;
        }
        both.conf = with_option(both.conf ? std::string_view(*both.conf) : conf, key, value);
        both.options.emplace_back(key, value);
    }
    return !both.conf || is_taken(*both.conf) ? std::optional(both) : std::nullopt;
}

namespace {

Advice advice_of(const ReservedOutcome& recorded, Remedy remedy, const ReservedOutcome& outcome) {
    return {std::move(remedy),
            outcome,
            difference(recorded.peak, outcome.peak),
            difference(recorded.end, outcome.end)};
}

bool saves_more(const Advice& one, const Advice& other) {
    return std::tie(one.saved_at_peak, one.saved_at_end) >
           std::tie(other.saved_at_peak, other.saved_at_end);
}

}  // namespace

std::vector<Advice> advise(const ReservedOutcome& recorded,
                           const std::vector<Remedy>& remedies,
                           const RunRemedy& run) {
    std::vector<Advice> all;
    for (const Remedy& remedy : remedies) {
        const std::optional<ReservedOutcome> outcome = run(remedy);
        if (!outcome) {
            continue;
        }
        const Advice advice = advice_of(recorded, remedy, *outcome);
        if (advice.saved_at_peak > 0 || (advice.saved_at_peak == 0 && advice.saved_at_end > 0)) {
            all.push_back(advice);
        }
    }
    std::ranges::stable_sort(all, saves_more);
    return all;
}

std::optional<Advice> best_together(const ReservedOutcome& recorded,
                                    const std::vector<Advice>& advice,
                                    std::string_view conf,
                                    const RunRemedy& run) {
    std::optional<Advice> best;
    for (std::size_t i = 1; i < advice.size(); ++i) {
        const Advice& so_far = best ? *best : advice.front();
        const std::optional<Remedy> both = combined(so_far.remedy, advice[i].remedy, conf);
        const std::optional<ReservedOutcome> outcome = both ? run(*both) : std::nullopt;
        if (!outcome) {
            continue;
        }
        const Advice together = advice_of(recorded, *both, *outcome);
        if (saves_more(together, so_far)) {
            best = together;
        }
    }
    return best;
}

}  // namespace highwater
