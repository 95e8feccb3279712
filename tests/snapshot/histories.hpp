#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/snapshot/json_trace.hpp"
#include "sim/snapshot/replay.hpp"

/// Histories for tests: recorded ones, and some made by hand.
namespace highwater::histories {

inline const std::string kFolder = HIGHWATER_SOURCE_DIR "/tests/recorded/models/";

/// The ten recorded programs.
inline const std::vector<std::string> kModels{"cap-asc",
                                              "cap-desc",
                                              "dit-concat",
                                              "expand-cap-asc",
                                              "expand-train",
                                              "hf",
                                              "moe-perlayer",
                                              "pw-desc",
                                              "serve",
                                              "train"};

inline std::string path_of(const std::string& name) {
    return kFolder + name + ".jsonl.gz";
}
inline Snapshot read(const std::string& name) {
    return read_json_trace(path_of(name));
}

using Action = SnapshotEvent::Action;

inline SnapshotEvent event(Action action,
                           std::uint64_t address,
                           Bytes size,
                           std::uint64_t stream = 0) {
    SnapshotEvent made;
    made.action = action;
    made.address = {address};
    made.size = size;
    made.stream = StreamHandle{stream};
    return made;
}

/// Both events of a free that completes at once.
inline void add_free(EventList& events,
                     std::uint64_t address,
                     Bytes size,
                     std::uint64_t stream = 0) {
    events.push_back(event(Action::kFreeRequested, address, size, stream));
    events.push_back(event(Action::kFreeCompleted, address, size, stream));
}

/// A segment of the default large pool that is one free block.
inline SnapshotSegment free_segment(std::uint64_t address, Bytes size, std::uint64_t stream = 0) {
    SnapshotSegment segment;
    segment.address = {address};
    segment.size = size;
    segment.stream = StreamHandle{stream};
    segment.kind = PoolKind::kLarge;
    segment.blocks.push_back({.address = {address},
                              .size = size,
                              .requested = kUnknownRequest,
                              .state = BlockState::kInactive});
    return segment;
}

}  // namespace highwater::histories
