#include "tests/snapshot/versioned_file.hpp"

#include <algorithm>

#include "sim/allocator/block.hpp"
#include "tests/support/raw_pickle.hpp"

namespace highwater {
namespace {

class Writing {
  public:
    explicit Writing(const VersionedFile& file) : file_(file) {}

    std::string bytes() {
        out_.op("\x80\x04").begin_dict().text("segments").begin_list();
        for (std::size_t device = 0; device < file_.devices.size(); ++device) {
            for (const SnapshotSegment& segment : file_.devices[device]->segments) {
                add(segment, device);
            }
        }
        out_.end_list().text("device_traces").begin_list();
        for (const Snapshot* const device : file_.devices) {
            add_trace(*device);
        }
        out_.end_list();
        if (file_.has_settings()) {
            add_settings();
        }
        if (file_.has_annotations()) {
            add_annotations();
        }
        return out_.end_dict().op(".").bytes();
    }

  private:
    static std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
    void entry(const char* key, std::uint64_t value) { out_.entry(key, number(value)); }

    void add_pool(const char* key, PoolId pool) {
        out_.text(key).number(number(pool.first)).number(number(pool.second)).op("\x86");
    }

    void add_frames(const Snapshot& snapshot, StackId stack) {
        if (file_.frames == 0) {
            return;
        }
        out_.text("frames").begin_list();
        const auto all = snapshot.stacks.frames(stack);
        for (const FrameId id : all.first(std::min(all.size(), file_.frames))) {
            const StackFrame& frame = snapshot.stacks.frame(id);
            out_.begin_dict().entry("name", frame.function).entry("filename", frame.file);
            out_.entry("line", frame.line).end_dict();
        }
        out_.end_list();
    }

    void add(const SnapshotSegment& segment, std::size_t device) {
        Bytes allocated;
        Bytes active;
        Bytes requested;
        for (const SnapshotBlock& block : segment.blocks) {
            const bool is_active = block.state != BlockState::kInactive;
            allocated += block.state == BlockState::kActiveAllocated ? block.size : Bytes{};
            active += is_active ? block.size : Bytes{};
            requested += is_active ? block.requested : Bytes{};
        }
        out_.begin_dict();
        entry("device", device);
        entry("address", segment.address.value);
        entry("total_size", segment.size.count);
        entry("allocated_size", allocated.count);
        entry("active_size", active.count);
        entry("requested_size", requested.count);
        entry("stream", static_cast<std::uint64_t>(segment.stream));
        out_.entry("segment_type", segment.kind == PoolKind::kSmall ? "small" : "large");
        add_pool("segment_pool_id", segment.pool);
        out_.text("is_expandable").op(segment.is_expandable ? "\x88" : "\x89");
        add_frames(*file_.devices[device], segment.stack);
        out_.text("blocks").begin_list();
        for (const SnapshotBlock& block : segment.blocks) {
            out_.begin_dict();
            entry("address", block.address.value);
            entry("size", block.size.count);
            entry("requested_size", block.requested.count);
            out_.entry("state", name_of(block.state));
            add_frames(*file_.devices[device], block.stack);
            out_.end_dict();
        }
        out_.end_list().end_dict();
    }

    void add_trace(const Snapshot& snapshot) {
        out_.begin_list();
        for (const SnapshotEvent& event : snapshot.events) {
            out_.begin_dict().entry("action", name_of(event.action));
            const bool is_oom = event.action == SnapshotEvent::Action::kOom;
            entry(is_oom ? "device_free" : "addr", event.address.value);
            entry("size", event.size.count);
            entry("stream", static_cast<std::uint64_t>(event.stream));
            add_newer_keys(event.time_us);
            if (file_.has_event_pools()) {
                add_pool("pool_id", event.pool.value_or(kDefaultPoolId));
            }
            add_frames(snapshot, event.stack);
            out_.end_dict();
        }
        if (file_.has_marks()) {
            add_mark();
        }
        out_.end_list();
    }

    void add_newer_keys(std::int64_t time_us) {
        if (file_.has_times()) {
            out_.entry("time_us", time_us);
        }
        if (file_.has_contexts()) {
            out_.entry("compile_context", "N/A");
        }
        if (file_.has_metadata()) {
            out_.entry("user_metadata", "");
        }
    }

    void add_mark() {
        out_.begin_dict().entry("action", file_.minor == 4 ? "user_defined" : "annotate");
        out_.entry("addr", 0).entry("size", 0).entry("stream", 0);
        add_newer_keys(0);
        out_.end_dict();
    }

    void add_settings() {
        const SnapshotSettings& settings = file_.devices.front()->settings;
        out_.text("allocator_settings").begin_dict();
        out_.entry("PYTORCH_CUDA_ALLOC_CONF", *settings.conf);
        out_.entry("max_split_size", *settings.max_split_size);
        out_.text("garbage_collection_threshold").op("G").little(0, 8);
        out_.text("expandable_segments").op(*settings.expandable_segments ? "\x88" : "\x89");
        out_.entry("pinned_num_register_threads", 1);
        out_.text("release_lock_on_cudamalloc").op("\x89");
        out_.text("pinned_use_cuda_host_register").op("\x89");
        if (file_.minor >= 10) {
            out_.text("graph_capture_record_stream_reuse").op("\x89");
        }
        out_.text("roundup_power2_divisions").begin_dict();
        for (unsigned slot = 0; slot < 16; ++slot) {
            out_.entry(std::to_string(1U << slot), 0);
        }
        out_.end_dict().end_dict();
    }

    void add_annotations() {
        out_.text("external_annotations").begin_list();
        for (const char* const stage : {"START", "END"}) {
            out_.begin_dict().entry("stage", stage).entry("name", "step").entry("device", 0);
            out_.entry("time_us", 5).end_dict();
        }
        out_.end_list();
    }

    const VersionedFile& file_;
    RawPickle out_;
};

}  // namespace

std::string VersionedFile::bytes() const {
    return Writing(*this).bytes();
}

}  // namespace highwater
