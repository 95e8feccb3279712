#include "sim/snapshot/pickle/assemble.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/allocator/block.hpp"
#include "sim/core/error.hpp"
#include "sim/snapshot/pickle/fields.hpp"
#include "sim/snapshot/pickle/settings.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

// Some of the events or segments, as they follow each other.
struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
};

// Where everything is; null and empty for what the file does not have.
struct Parts {
    Range segments;
    std::vector<Range> traces;
    const Value* settings = nullptr;
    Range annotations;
    bool has_history = false;
};

class Assembly {
  public:
    Assembly(Records& records, const std::string& name) : records_(records), origin_{name, 0} {}

    Parts parts_of(const Value& whole) const;
    std::uint32_t device_of(const Parts& parts, const PickleOptions& options) const;
    void add_segments(Snapshot& snapshot, const Range& range) const;
    void add_annotations(Snapshot& snapshot, const Range& range) const;
    void add_notices(Snapshot& snapshot, const Parts& parts) const;

  private:
    // Of the list under a key, which is of this kind or empty.
    Range range_of(const Value* value, Kind list, std::string_view key) const;
    std::vector<Range> traces_of(const Value* value) const;
    void add_blocks(SnapshotSegment& segment,
                    const SegmentRecord& record,
                    const std::string& place) const;

    Records& records_;
    Origin origin_;
};

Range Assembly::range_of(const Value* value, Kind list, std::string_view key) const {
    if (value == nullptr || value->kind == Kind::kEmptyList || value->kind == Kind::kNone) {
        return {};
    }
    if (value->kind != list) {
        refuse(origin_, fmt::format("`{}` is no list of such", key));
    }
    return {value->first(), value->count};
}

std::vector<Range> Assembly::traces_of(const Value* value) const {
    constexpr std::string_view kKey = text_of(Word::kDeviceTraces);
    std::vector<Range> traces;
    if (value == nullptr || value->kind == Kind::kEmptyList || value->kind == Kind::kNone) {
        return traces;
    }
    if (value->kind != Kind::kPlainList) {
        refuse(origin_, fmt::format("`{}` is no list of lists of events", kKey));
    }
    for (const Value& trace : std::span(records_.plain).subspan(value->first(), value->count)) {
        traces.push_back(range_of(&trace, Kind::kEventList, kKey));
    }
    return traces;
}

Parts Assembly::parts_of(const Value& whole) const {
    if (whole.kind == Kind::kSegmentList || whole.kind == Kind::kEmptyList) {
        // What memory_snapshot() gives.
        return {range_of(&whole, Kind::kSegmentList, ""), {}, nullptr, {}, false};
    }
    const std::span<const Value> items =
        whole.kind == Kind::kPlainDict
            ? std::span<const Value>(records_.plain).subspan(whole.first(), whole.count)
            : std::span<const Value>();
    const Fields fields(records_, items, "the file", origin_);
    if (!fields.has(Word::kSegments)) {
        refuse(origin_, "a pickle, but no memory snapshot: it has no `segments`");
    }
    return {
        range_of(fields.find(Word::kSegments), Kind::kSegmentList, "segments"),
        traces_of(fields.find(Word::kDeviceTraces)),
        fields.find(Word::kAllocatorSettings),
        range_of(
            fields.find(Word::kExternalAnnotations), Kind::kAnnotationList, "external_annotations"),
        fields.has(Word::kDeviceTraces)};
}

std::uint32_t Assembly::device_of(const Parts& parts, const PickleOptions& options) const {
    std::set<std::uint32_t> there;
    for (std::size_t i = 0; i < parts.segments.count; ++i) {
        there.insert(records_.segments[parts.segments.first + i].device);
    }
    for (std::size_t i = 0; i < parts.traces.size(); ++i) {
        if (parts.traces[i].count > 0) {
            there.insert(static_cast<std::uint32_t>(i));
        }
    }
    const std::string name(origin_.file);
    if (options.device && !there.contains(*options.device) && !there.empty()) {
        throw InputError({name},
                         fmt::format("it has nothing of device {}", *options.device),
                         fmt::format("ask for one of those it has: {}", fmt::join(there, ", ")));
    }
    if (!options.device && there.size() > 1) {
        throw InputError({name},
                         fmt::format("it has the memory of {} devices", there.size()),
                         fmt::format("say which: {}", fmt::join(there, ", ")));
    }
    return options.device.value_or(there.empty() ? 0 : *there.begin());
}

// Files before 2.1 give no block addresses, and the first ones no requested sizes.
void Assembly::add_blocks(SnapshotSegment& segment,
                          const SegmentRecord& record,
                          const std::string& place) const {
    Address next = segment.address;
    segment.blocks.reserve(record.block_count);
    for (std::size_t i = 0; i < record.block_count; ++i) {
        const BlockRecord& block = records_.blocks[record.first_block + i];
        const Bytes unknown = block.state == BlockState::kInactive ? Bytes{} : kUnknownRequest;
        segment.blocks.push_back({block.address.value_or(next),
                                  block.size,
                                  block.requested.value_or(unknown),
                                  block.state,
                                  block.stack});
        // Both are at most 2^62.
        next = next + block.size;
        if (next.value > kMostBytes.count) {
            refuse(origin_, fmt::format("the blocks of {} end above 2^62", place));
        }
    }
}

void Assembly::add_segments(Snapshot& snapshot, const Range& range) const {
    std::size_t next_block = 0;
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        const SegmentRecord& record = records_.segments[i];
        if (record.device != snapshot.device) {
            continue;
        }
        const std::string place = fmt::format("segment {}", i - range.first);
        if (record.block_count > 0 && record.first_block < next_block) {
            refuse(origin_, fmt::format("the blocks of {} are those of another one", place));
        }
        next_block = record.first_block + record.block_count;
        SnapshotSegment segment = record.segment;
        add_blocks(segment, record, place);
        check_segment(snapshot.name, place, segment, record.totals);
        snapshot.segments.push_back(std::move(segment));
    }
    std::ranges::stable_sort(snapshot.segments, {}, &SnapshotSegment::address);
}

void Assembly::add_annotations(Snapshot& snapshot, const Range& range) const {
    for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        const AnnotationRecord& record = records_.annotations[i];
        if (record.device.value_or(snapshot.device) == snapshot.device) {
            snapshot.annotations.push_back(
                {std::string(records_.strings.text(record.name)), record.is_start, record.time_us});
        }
    }
}

void Assembly::add_notices(Snapshot& snapshot, const Parts& parts) const {
    if (!parts.has_history) {
        snapshot.notices.emplace_back("the file has no history, only the segments at its end");
    }
    for (const auto& [action, count] : records_.unknown_actions) {
        constexpr std::size_t kLongest = 40;
        snapshot.notices.push_back(
            fmt::format("{} events with the action `{}` were passed over: it is not known",
                        count,
                        action.substr(0, kLongest)));
    }
    const auto has_unknown = [](const SnapshotSegment& segment) {
        return std::ranges::any_of(segment.blocks, [](const SnapshotBlock& block) {
            return block.requested == kUnknownRequest;
        });
    };
    if (std::ranges::any_of(snapshot.segments, has_unknown)) {
        snapshot.notices.emplace_back("the file does not say what was requested of its blocks");
    }
}

}  // namespace

Snapshot assemble(Records records,
                  const Value& whole,
                  const std::string& name,
                  const PickleOptions& options) {
    const Assembly assembly(records, name);
    const Parts parts = assembly.parts_of(whole);
    Snapshot snapshot;
    snapshot.name = name;
    snapshot.device = assembly.device_of(parts, options);
    snapshot.settings = settings_from(records, parts.settings, {name, 0});
    assembly.add_segments(snapshot, parts.segments);
    assembly.add_annotations(snapshot, parts.annotations);
    assembly.add_notices(snapshot, parts);
    if (snapshot.device < parts.traces.size()) {
        const Range& trace = parts.traces[snapshot.device];
        snapshot.events = std::move(records.events).part(trace.first, trace.count);
    }
    snapshot.stacks = std::move(records.stacks);
    for (std::string& notice : check_snapshot(snapshot)) {
        snapshot.notices.push_back(std::move(notice));
    }
    return snapshot;
}

}  // namespace highwater::pickle
