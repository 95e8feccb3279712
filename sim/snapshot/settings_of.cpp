#include "sim/snapshot/settings_of.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater {
namespace {

AllocatorSettings parsed(const Snapshot& snapshot) {
    try {
        return parse_settings(snapshot.settings.conf.value_or(""));
    } catch (const SettingsError& error) {
        throw InputError({snapshot.name},
                         fmt::format("its allocator settings: {}", error.what()),
                         "PyTorch refuses them too; correct the file");
    }
}

void take_roundup(AllocatorSettings& settings, const SnapshotSettings& exported) {
    const auto& slots = *exported.roundup_power2_divisions;
    for (std::size_t i = 0; i < std::min(slots.size(), RoundupDivisions::kSlots); ++i) {
        settings.roundup_power2_divisions.set(i, static_cast<std::uint64_t>(slots[i]));
    }
}

}  // namespace

AllocatorSettings settings_of(const Snapshot& snapshot) {
    AllocatorSettings settings = parsed(snapshot);
    const SnapshotSettings& exported = snapshot.settings;
    if (exported.max_split_size) {
        settings.max_split_size =
            *exported.max_split_size < 0
                ? std::nullopt
                : std::optional(Bytes{static_cast<std::uint64_t>(*exported.max_split_size)});
    }
    settings.garbage_collection_threshold =
        exported.garbage_collection_threshold.value_or(settings.garbage_collection_threshold);
    settings.expandable_segments =
        exported.expandable_segments.value_or(settings.expandable_segments);
    settings.graph_capture_record_stream_reuse =
        exported.graph_capture_record_stream_reuse.value_or(
            settings.graph_capture_record_stream_reuse);
    if (exported.roundup_power2_divisions) {
        take_roundup(settings, exported);
    }
    return settings;
}

}  // namespace highwater
