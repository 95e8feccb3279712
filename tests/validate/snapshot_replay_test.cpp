// The recorded allocator programs as histories: nothing but their events and their final segments,
// as a snapshot file has them.
#include <algorithm>
#include <filesystem>
#include <span>

#include "sim/snapshot/replay.hpp"
#include "tests/support/catch.hpp"
#include "validate/recorded_file.hpp"

namespace highwater {

namespace {

// Programs of few files: to read the others takes longer than all else.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kEvery = 5;
constexpr std::size_t kEveryFile = 4;
constexpr std::size_t kPrograms = 157;
#else
constexpr std::size_t kEvery = 1;
constexpr std::size_t kEveryFile = 1;
constexpr std::size_t kPrograms = 630;
#endif

std::vector<StreamHandle> handles_of(const RecordedProgram& recorded) {
    std::vector<StreamHandle> handles{StreamHandle{0}};
    for (const StreamEntry& stream : recorded.program.streams) {
        if (std::ranges::find(handles, stream.handle) == handles.end()) {
            handles.push_back(stream.handle);
        }
    }
    return handles;
}

SnapshotSegment segment_of(const SegmentInfo& info, const std::vector<StreamHandle>& handles) {
    SnapshotSegment segment;
    segment.address = info.address;
    segment.size = info.size;
    segment.stream = handles.at(index_of(info.stream));
    segment.kind = info.kind;
    segment.pool = info.pool;
    segment.is_expandable = info.is_expandable;
    for (const BlockInfo& block : info.blocks) {
        segment.blocks.push_back({.address = block.address,
                                  .size = block.size,
                                  .requested = block.requested,
                                  .state = block.state});
    }
    return segment;
}

Snapshot history_of(const RecordedProgram& recorded) {
    const std::vector<StreamHandle> handles = handles_of(recorded);
    Snapshot snapshot;
    snapshot.name = recorded.seed;
    snapshot.settings.conf = recorded.program.machine.conf;
    for (const TraceEvent& event : recorded.trace) {
        SnapshotEvent made;
        made.action = static_cast<SnapshotEvent::Action>(event.kind);
        made.stream = handles.at(index_of(event.stream));
        made.address = event.address;
        made.size = event.size;
        snapshot.events.push_back(made);
    }
    for (const SegmentInfo& segment : recorded.segments) {
        snapshot.segments.push_back(segment_of(segment, handles));
    }
    return snapshot;
}

void lose(Snapshot& snapshot, std::size_t events) {
    const std::size_t all = snapshot.events.size();
    const std::size_t lost = std::min(events, all);
    snapshot.events = std::move(snapshot.events).part(lost, all - lost);
}

void check_exact(const Snapshot& snapshot) {
    const Replay result = replay(snapshot);
    INFO("program " << snapshot.name);
    if (result.departure) {
        INFO("event " << result.departure->event << ": expected " << result.departure->expected
                      << ", got " << result.departure->got);
        CHECK_FALSE(result.departure);
    }
}

template <typename Take>
std::size_t for_each_program(Take take) {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(HIGHWATER_SOURCE_DIR "/tests/recorded/conformance")) {
        files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    std::size_t count = 0;
    for (std::size_t i = 0; i < files.size(); i += kEveryFile) {
        read_recorded_file(files[i], [&](const RecordedProgram& recorded) {
            if (count++ % kEvery == 0) {
                take(recorded);
            }
        });
    }
    return count;
}

}  // namespace

TEST_CASE("all recorded programs replay from their events and final segments alone",
          "[replay][conformance]") {
    const std::size_t programs = for_each_program(
        [](const RecordedProgram& recorded) { check_exact(history_of(recorded)); });
    CHECK(programs == kPrograms);
}

TEST_CASE("all recorded programs replay without their first events", "[replay][conformance]") {
    const std::size_t programs = for_each_program([](const RecordedProgram& recorded) {
        for (const std::size_t lost : {50U, 133U, 400U}) {
            Snapshot snapshot = history_of(recorded);
            lose(snapshot, lost);
            check_exact(snapshot);
        }
    });
    CHECK(programs == kPrograms);
}

}  // namespace highwater
