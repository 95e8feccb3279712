#include "sim/snapshot/changes.hpp"

#include <algorithm>
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
        const bool has_equals = conf.find('=') != std::string::npos;
        throw InputError({option},
                         error.what(),
                         has_equals ? "settings are KEY:VALUE, with a colon in place of `=`"
                                    : "PyTorch refuses it too; correct it");
    }
    if (settings.backend != AllocatorBackend::kNative) {
        throw InputError({option},
                         "backend:cudaMallocAsync keeps no memory history to be replayed",
                         "leave the backend out");
    }
    return settings;
}

}  // namespace highwater
