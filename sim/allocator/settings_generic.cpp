#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "sim/allocator/settings_keys.hpp"

namespace highwater::settings_text {
namespace {

constexpr std::string_view kLargeSegmentSizeKey = "large_segment_size_mb";

/// With the most that PyTorch stores, its sum with any oversize request wraps around to less than
/// the request: see `AllocatorSettings::max_non_split_rounding`. Measured on 2.11.0.
Bytes non_split_rounding(std::uint64_t mib) {
    return mib >= kMostMib ? 0_B : std::min(bytes_of_mib(mib), kMaxLargeSegmentSize);
}

void apply_large_segment_size(AllocatorSettings& settings, const Value& value) {
    const std::uint64_t mib = value.to_integer();
    if (mib <= kMinLargeAlloc / 1_MiB) {
        value.refuse("MiB is not above 10 MiB");
    }
    settings.large_segment_size = std::min(bytes_of_mib(mib), kMaxLargeSegmentSize);
    // Its default; its own key comes in the second pass.
    settings.max_non_split_rounding = settings.large_segment_size;
}

std::uint64_t at_least_large_segment(const AllocatorSettings& settings, const Value& value) {
    const std::uint64_t mib = value.to_integer();
    const std::uint64_t least = settings.large_segment_size / 1_MiB;
    if (mib < least) {
        value.refuse(fmt::format("MiB is below the large segment size, {} MiB", least));
    }
    return mib;
}

void apply_threshold(AllocatorSettings& settings, const Value& value) {
    const double threshold = value.to_number();
    // As two positive tests, so that nan is refused.
    if (!(threshold > 0 && threshold < 1)) {
        value.refuse("is not strictly between 0 and 1");
    }
    settings.garbage_collection_threshold = threshold;
}

constexpr std::array kGenericKeys{
    Key{"max_split_size_mb",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.max_split_size = bytes_of_mib(at_least_large_segment(settings, value));
        }},
    Key{"max_non_split_rounding_mb",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.max_non_split_rounding =
                non_split_rounding(at_least_large_segment(settings, value));
        }},
    Key{"garbage_collection_threshold",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            apply_threshold(settings, value);
        }},
    Key{"roundup_power2_divisions",
        [](AllocatorSettings& settings, const Value& value, TokenReader& rest) {
            apply_roundup_divisions(settings.roundup_power2_divisions, value, rest);
        }},
    Key{"expandable_segments",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.expandable_segments = value.to_bool();
        }},
    Key{"pinned_use_background_threads",
        [](AllocatorSettings& settings, const Value& value, TokenReader&) {
            settings.pinned_use_background_threads = value.to_bool();
        }},
    // Applied before all others.
    Key{kLargeSegmentSizeKey, [](AllocatorSettings&, const Value&, TokenReader&) {}},
};

/// Other keys depend on it, so it is looked for first, and anywhere, in the place of a value too.
void apply_large_segment_sizes(AllocatorSettings& settings, const Tokens& tokens) {
    for (std::size_t place = 0; place < tokens.size(); ++place) {
        if (tokens.at(place).text == kLargeSegmentSizeKey) {
            TokenReader reader(tokens, place + 1);
            apply_large_segment_size(settings, reader.take_value(kLargeSegmentSizeKey));
        }
    }
}

void reset(AllocatorSettings& settings) {
    settings.max_split_size.reset();
    settings.roundup_power2_divisions = {};
    settings.garbage_collection_threshold = 0;
    settings.max_non_split_rounding = settings.large_segment_size;
}

}  // namespace

bool is_generic_key(std::string_view key) {
    return find_key(kGenericKeys, key) != nullptr;
}

void apply_generic_keys(AllocatorSettings& settings, const Tokens& tokens) {
    reset(settings);
    apply_large_segment_sizes(settings, tokens);
    for_each_key(tokens, [&settings](const Token& key, TokenReader& reader) {
        if (const Key* known = find_key(kGenericKeys, key.text)) {
            known->apply(settings, reader.take_value(known->name), reader);
        } else if (is_cuda_key(key.text)) {
            reader.skip_value(key.text);
        } else {
            refuse_unknown_key(key);
        }
    });
}

void refuse_unknown_key(const Token& key) {
    throw SettingsError(SettingsError::Kind::kValueError,
                        key.offset,
                        fmt::format("'{}' is not a key of PyTorch 2.11", key.text));
}

}  // namespace highwater::settings_text
