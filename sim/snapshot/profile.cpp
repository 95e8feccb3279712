#include "sim/snapshot/profile.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

constexpr unsigned kOldest = 1;
constexpr unsigned kNewest = 15;

struct KeySince {
    std::string_view key;
    unsigned minor;
};
constexpr std::array<KeySince, 5> kKeys{{{"max_non_split_rounding_mb", 6},
                                         {"graph_capture_record_stream_reuse", 10},
                                         {"per_process_memory_fraction", 10},
                                         {"pinned_reserve_segment_size_mb", 10},
                                         {"large_segment_size_mb", 11}}};

// Of 2.6 to 2.15 no change in how blocks are placed under default settings is known.
struct Difference {
    unsigned first;
    unsigned last;
    std::string_view what;
};
constexpr std::array<Difference, 14> kDifferences{
    {{1, 5, "whether blocks were placed by the same rules is not known in every detail"},
     {1, 1, "in a capture, side streams allocated from the default pool"},
     {1, 3, "each graph may have had random state of its own, in two tensors (until 2.2 or 2.3)"},
     {1, 4, "expandable segments with a split limit or garbage collection could end in an assert"},
     {1, 7, "before running out of memory, only the pool in question was given back"},
     {1, 8, "cuBLASLt kept no workspace of 1 MiB for each stream"},
     {1, 8, "Python's garbage was collected before each capture"},
     {1, 10, "of nested use_mem_pool scopes the outer one may have won (until 2.8 to 2.10)"},
     {12, 15, "cuBLASLt's workspaces differ, and those of a capture's stream go when it is reset"},
     {12, 15, "random state is allocated for each capture, when it needs it"},
     {13, 15, "frees inside use_mem_pool scopes do not wait for their end"},
     {14, 15, "a graph can have several pools, and make_graphed_callables uses one stream"},
     {14, 15, "expandable segments may reserve memory by classes of sizes (since 2.14 or 2.15)"},
     {15, 15, "workspaces of cuBLAS are not kept"}}};

std::optional<unsigned> minor_of(std::string_view profile) {
    constexpr std::string_view kPrefix = "torch-2.";
    if (!profile.starts_with(kPrefix)) {
        return std::nullopt;
    }
    profile.remove_prefix(kPrefix.size());
    unsigned minor = 0;
    const auto [end, error] =
        std::from_chars(profile.data(), profile.data() + profile.size(), minor);
    const bool is_whole = error == std::errc{} && end == profile.data() + profile.size();
    return is_whole && minor >= kOldest && minor <= kNewest ? std::optional(minor) : std::nullopt;
}

}  // namespace

void check_profile(const std::string& profile,
                   const AllocatorSettings& settings,
                   const std::string& option) {
    if (profile.empty()) {
        return;
    }
    const std::optional<unsigned> minor = minor_of(profile);
    if (!minor) {
        throw InputError({option},
                         fmt::format("nothing is known of `{}`", profile),
                         fmt::format("give torch-2.{} to torch-2.{}", kOldest, kNewest));
    }
    for (const KeySince& known : kKeys) {
        if (*minor < known.minor && settings.conf.find(known.key) != std::string::npos) {
            throw InputError({option},
                             fmt::format("{} does not know {}", profile, known.key),
                             fmt::format("leave it out, or give torch-2.{}", known.minor));
        }
    }
}

std::vector<std::string> profile_notices(const std::string& profile) {
    std::vector<std::string> notices;
    const std::optional<unsigned> minor = minor_of(profile);
    for (const Difference& each : kDifferences) {
        if (minor && each.first <= *minor && *minor <= each.last) {
            notices.push_back(fmt::format("{}: {}; this is not simulated", profile, each.what));
        }
    }
    return notices;
}

}  // namespace highwater
