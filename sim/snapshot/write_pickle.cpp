#include "sim/snapshot/write_pickle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "sim/allocator/block.hpp"
#include "sim/snapshot/pickle/pickler.hpp"
#include "sim/snapshot/pickle/words.hpp"

namespace highwater {
namespace {

using pickle::Pickler;
using pickle::Word;

struct Totals {
    Bytes allocated;
    Bytes active;
    Bytes requested;
};

Totals totals_of(const SnapshotSegment& segment) {
    Totals totals;
    for (const SnapshotBlock& block : segment.blocks) {
        if (block.state == BlockState::kActiveAllocated) {
            totals.allocated += block.size;
        }
        if (block.state != BlockState::kInactive) {
            totals.active += block.size;
            totals.requested += block.requested == kUnknownRequest ? Bytes{} : block.requested;
        }
    }
    return totals;
}

class Writer {
  public:
    explicit Writer(const Snapshot& snapshot)
        : snapshot_(snapshot),
          frames_(snapshot.stacks.frame_count()),
          stacks_(snapshot.stacks.size()) {}

    std::string write() &&;

  private:
    void key(Word word) { out_.text(pickle::text_of(word)); }
    void entry(Word word, std::uint64_t value) {
        key(word);
        out_.integer(static_cast<std::int64_t>(value));
    }
    void entry(Word word, std::string_view value) {
        key(word);
        out_.text(value);
    }
    void entry(Word word, PoolId value) {
        key(word);
        out_.integer(static_cast<std::int64_t>(value.first));
        out_.integer(static_cast<std::int64_t>(value.second));
        out_.pair();
    }
    // Nothing where there is none.
    void flag(Word word, std::optional<bool> value) {
        if (value) {
            key(word);
            out_.boolean(*value);
        }
    }
    void entry(Word word, StreamHandle value) { entry(word, static_cast<std::uint64_t>(value)); }

    template <typename Items, typename Write>
    void list(const Items& items, Write write) {
        out_.begin_list();
        for (std::size_t i = 0; i < items.size(); ++i) {
            out_.next_item(i);
            write(items[i]);
        }
        out_.end_list();
    }

    void stack(StackId id);
    void frame(FrameId id);
    void block(const SnapshotBlock& block);
    void segment(const SnapshotSegment& segment);
    void event(const SnapshotEvent& event);
    void traces();
    void settings();
    void divisions(const std::vector<std::int64_t>& divisions);
    void annotation(const SnapshotAnnotation& annotation);

    const Snapshot& snapshot_;
    Pickler out_;
    std::vector<std::optional<Pickler::Number>> frames_;
    std::vector<std::optional<Pickler::Number>> stacks_;
    std::optional<Pickler::Number> no_stack_;
};

// What is there once is written once: a later place names it.
void Writer::stack(StackId id) {
    key(Word::kFrames);
    std::optional<Pickler::Number>& number = id == kNoStack ? no_stack_ : stacks_[index_of(id)];
    if (number) {
        out_.named(*number);
        return;
    }
    list(snapshot_.stacks.frames(id), [&](FrameId each) { frame(each); });
    number = out_.number();
}

void Writer::frame(FrameId id) {
    std::optional<Pickler::Number>& number = frames_[index_of(id)];
    if (number) {
        out_.named(*number);
        return;
    }
    const StackFrame& frame = snapshot_.stacks.frame(id);
    out_.begin_dict();
    entry(Word::kName, frame.function);
    entry(Word::kFilename, frame.file);
    entry(Word::kLine, static_cast<std::uint64_t>(frame.line));
    out_.end_dict();
    number = out_.number();
}

void Writer::block(const SnapshotBlock& block) {
    out_.begin_dict();
    entry(Word::kAddress, block.address.value);
    entry(Word::kSize, block.size.count);
    if (block.requested != kUnknownRequest) {
        entry(Word::kRequestedSize, block.requested.count);
    } else if (block.state == BlockState::kInactive) {
        // As PyTorch writes of memory that never served a request.
        entry(Word::kRequestedSize, std::uint64_t{0});
    }
    entry(Word::kState, highwater::name_of(block.state));
    stack(block.stack);
    out_.end_dict();
}

void Writer::segment(const SnapshotSegment& segment) {
    const Totals totals = totals_of(segment);
    out_.begin_dict();
    entry(Word::kDevice, snapshot_.device);
    entry(Word::kAddress, segment.address.value);
    entry(Word::kTotalSize, segment.size.count);
    entry(Word::kAllocatedSize, totals.allocated.count);
    entry(Word::kActiveSize, totals.active.count);
    entry(Word::kRequestedSize, totals.requested.count);
    entry(Word::kStream, segment.stream);
    entry(Word::kSegmentType,
          pickle::text_of(segment.kind == PoolKind::kSmall ? Word::kSmall : Word::kLarge));
    entry(Word::kSegmentPoolId, segment.pool);
    key(Word::kIsExpandable);
    out_.boolean(segment.is_expandable);
    stack(segment.stack);
    key(Word::kBlocks);
    list(segment.blocks, [&](const SnapshotBlock& each) { block(each); });
    out_.end_dict();
}

void Writer::event(const SnapshotEvent& event) {
    const bool is_oom = event.action == SnapshotEvent::Action::kOom;
    out_.begin_dict();
    entry(Word::kAction, name_of(event.action));
    entry(is_oom ? Word::kDeviceFree : Word::kAddr, event.address.value);
    entry(Word::kSize, event.size.count);
    entry(Word::kStream, event.stream);
    entry(Word::kTimeUs, static_cast<std::uint64_t>(event.time_us));
    out_.text("compile_context");
    out_.text("N/A");
    out_.text("user_metadata");
    out_.text("");
    if (event.pool) {
        entry(Word::kPoolId, *event.pool);
    }
    stack(event.stack);
    out_.end_dict();
}

// A list of events for each device up to this one.
void Writer::traces() {
    out_.begin_list();
    for (std::uint32_t device = 0; device < snapshot_.device; ++device) {
        out_.begin_list();
        out_.end_list();
    }
    list(snapshot_.events, [&](const SnapshotEvent& each) { event(each); });
    out_.end_list();
}

void Writer::divisions(const std::vector<std::int64_t>& divisions) {
    key(Word::kRoundupPower2Divisions);
    out_.begin_dict();
    for (std::size_t slot = 0; slot < divisions.size(); ++slot) {
        out_.text(std::to_string(std::uint64_t{1} << slot));
        out_.integer(divisions[slot]);
    }
    out_.end_dict();
}

void Writer::settings() {
    const SnapshotSettings& settings = snapshot_.settings;
    out_.begin_dict();
    if (settings.conf) {
        entry(Word::kCudaAllocConf, *settings.conf);
    }
    if (settings.max_split_size) {
        key(Word::kMaxSplitSize);
        out_.integer(*settings.max_split_size);
    }
    if (settings.garbage_collection_threshold) {
        key(Word::kGarbageCollectionThreshold);
        out_.real(*settings.garbage_collection_threshold);
    }
    flag(Word::kExpandableSegments, settings.expandable_segments);
    if (settings.pinned_num_register_threads) {
        key(Word::kPinnedNumRegisterThreads);
        out_.integer(*settings.pinned_num_register_threads);
    }
    flag(Word::kReleaseLockOnCudaMalloc, settings.release_lock_on_cudamalloc);
    flag(Word::kPinnedUseCudaHostRegister, settings.pinned_use_cuda_host_register);
    flag(Word::kGraphCaptureRecordStreamReuse, settings.graph_capture_record_stream_reuse);
    if (settings.roundup_power2_divisions) {
        divisions(*settings.roundup_power2_divisions);
    }
    out_.end_dict();
}

void Writer::annotation(const SnapshotAnnotation& annotation) {
    out_.begin_dict();
    entry(Word::kName, annotation.name);
    entry(Word::kStage, pickle::text_of(annotation.is_start ? Word::kStart : Word::kEnd));
    entry(Word::kDevice, snapshot_.device);
    entry(Word::kTimeUs, static_cast<std::uint64_t>(annotation.time_us));
    out_.end_dict();
}

std::string Writer::write() && {
    out_.begin_dict();
    key(Word::kSegments);
    list(snapshot_.segments, [&](const SnapshotSegment& each) { segment(each); });
    key(Word::kDeviceTraces);
    traces();
    key(Word::kAllocatorSettings);
    settings();
    key(Word::kExternalAnnotations);
    list(snapshot_.annotations, [&](const SnapshotAnnotation& each) { annotation(each); });
    out_.end_dict();
    return std::move(out_).finish();
}

}  // namespace

std::string to_pickle(const Snapshot& snapshot) {
    return Writer(snapshot).write();
}

}  // namespace highwater
