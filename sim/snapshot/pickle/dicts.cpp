#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/snapshot/pickle/fields.hpp"
#include "sim/snapshot/pickle/records.hpp"

namespace highwater::pickle {
namespace {

using Action = SnapshotEvent::Action;
using Kind = Value::Kind;

constexpr std::uint64_t kMostFramesOrEvents = 1U << 28U;

Action action_of(std::uint32_t choice) {
    // `user_defined` and `annotate` are the same.
    return static_cast<Action>(std::min(choice, static_cast<std::uint32_t>(Action::kAnnotation)));
}

bool is_known_action(std::uint32_t word) {
    return word >= static_cast<std::uint32_t>(Word::kAlloc) &&
           word <= static_cast<std::uint32_t>(Word::kAnnotate);
}

Value event_value(Records& records, const Fields& fields, const Origin& origin) {
    const std::uint32_t word = fields.string(Word::kAction);
    if (!is_known_action(word)) {
        ++records.unknown_actions[std::string(records.strings.text(word))];
        return {Kind::kSkippedEvent};
    }
    SnapshotEvent event;
    event.action = action_of(word - static_cast<std::uint32_t>(Word::kAlloc));
    const bool is_mark = event.action == Action::kAnnotation || event.action == Action::kSnapshot;
    const Word address = event.action == Action::kOom ? Word::kDeviceFree : Word::kAddr;
    const auto number = [&](Word key) {
        return is_mark ? fields.number_if_any(key).value_or(0) : fields.number(key);
    };
    event.address = {number(address)};
    event.size = {number(Word::kSize)};
    event.stream = StreamHandle{number(Word::kStream)};
    event.time_us = static_cast<std::int64_t>(fields.number_if_any(Word::kTimeUs).value_or(0));
    event.stack = fields.frames();
    event.pool = fields.pool(Word::kPoolId);
    if (!event.pool) {
        event.pool = fields.pool(Word::kSegmentPoolId);
    }
    if (records.events.size() == kMostFramesOrEvents) {
        refuse(origin, "more events than can be numbered", "take a shorter history");
    }
    records.events.push_back(event);
    return {Kind::kEvents, 0, 1, static_cast<std::int64_t>(records.events.size() - 1)};
}

Value frame_value(Records& records, const Fields& fields, const Origin& origin) {
    StackFrame frame;
    frame.function = records.strings.text(fields.string(Word::kName));
    frame.file = records.strings.text(fields.string(Word::kFilename));
    frame.line = fields.line();
    if (records.stacks.frame_count() == kMostFramesOrEvents) {
        refuse(origin, "more different frames than can be numbered", "take a shorter history");
    }
    const FrameId id = records.stacks.add_frame(std::move(frame));
    return {Kind::kFrame, 0, 0, static_cast<std::int64_t>(id)};
}

Value block_value(Records& records, const Fields& fields) {
    BlockRecord block;
    if (const auto address = fields.number_if_any(Word::kAddress)) {
        block.address = Address{*address};
    }
    block.size = {fields.number(Word::kSize)};
    block.requested = fields.bytes_if_any(Word::kRequestedSize);
    const std::uint32_t state =
        fields.choice(Word::kState, Word::kInactive, Word::kActiveAwaitingFree);
    block.state = static_cast<BlockState>(
        std::min(state, static_cast<std::uint32_t>(BlockState::kActivePendingFree)));
    block.stack = fields.frames();
    records.blocks.push_back(block);
    return {Kind::kBlocks, 0, 1, static_cast<std::int64_t>(records.blocks.size() - 1)};
}

void set_blocks(SegmentRecord& record, const Fields& fields) {
    const Value* const blocks = fields.find(Word::kBlocks);
    if (blocks->kind == Kind::kBlockList) {
        record.first_block = blocks->first();
        record.block_count = blocks->count;
    } else if (blocks->kind != Kind::kEmptyList) {
        fields.fail(Word::kBlocks, "are no list of blocks");
    }
}

Value segment_value(Records& records, const Fields& fields) {
    SegmentRecord record;
    SnapshotSegment& segment = record.segment;
    segment.address = {fields.number(Word::kAddress)};
    segment.size = {fields.number(Word::kTotalSize)};
    segment.stream = StreamHandle{fields.number_if_any(Word::kStream).value_or(0)};
    segment.kind = fields.choice(Word::kSegmentType, Word::kSmall, Word::kLarge) == 0
                       ? PoolKind::kSmall
                       : PoolKind::kLarge;
    segment.pool = fields.pool(Word::kSegmentPoolId).value_or(kDefaultPoolId);
    segment.is_expandable = fields.flag(Word::kIsExpandable);
    segment.stack = fields.frames();
    record.device = fields.device();
    record.totals = {fields.bytes_if_any(Word::kAllocatedSize),
                     fields.bytes_if_any(Word::kActiveSize),
                     fields.bytes_if_any(Word::kRequestedSize)};
    set_blocks(record, fields);
    records.segments.push_back(std::move(record));
    return {Kind::kSegments, 0, 1, static_cast<std::int64_t>(records.segments.size() - 1)};
}

Value annotation_value(Records& records, const Fields& fields) {
    AnnotationRecord record;
    record.name = fields.string(Word::kName);
    record.is_start = fields.choice(Word::kStage, Word::kStart, Word::kEnd) == 0;
    if (fields.has(Word::kDevice)) {
        record.device = fields.device();
    }
    record.time_us = static_cast<std::int64_t>(fields.number_if_any(Word::kTimeUs).value_or(0));
    records.annotations.push_back(record);
    return {Kind::kAnnotations, 0, 1, static_cast<std::int64_t>(records.annotations.size() - 1)};
}

// The words among the keys, a bit each.
std::uint64_t words_among_keys(std::span<const Value> pairs) {
    constexpr std::int64_t kKeys = static_cast<std::int64_t>(Word::kAlloc);
    static_assert(kKeys < 64, "a bit for each key");
    std::uint64_t words = 0;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs[i].kind == Kind::kString && pairs[i].bits < kKeys) {
            words |= std::uint64_t{1} << pairs[i].first();
        }
    }
    return words;
}

constexpr std::uint64_t bits(std::initializer_list<Word> words) {
    std::uint64_t result = 0;
    for (const Word word : words) {
        result |= std::uint64_t{1} << static_cast<std::uint32_t>(word);
    }
    return result;
}

}  // namespace

Value dict_value(Records& records, std::span<const Value> pairs, const Origin& origin) {
    const std::uint64_t words = words_among_keys(pairs);
    const auto has = [&](std::initializer_list<Word> keys) {
        return (words & bits(keys)) == bits(keys);
    };
    const auto fields = [&](std::string_view what) { return Fields(records, pairs, what, origin); };
    if (has({Word::kAction})) {
        return event_value(records, fields("an event"), origin);
    }
    if (has({Word::kName, Word::kFilename, Word::kLine})) {
        return frame_value(records, fields("a frame"), origin);
    }
    if (has({Word::kBlocks, Word::kTotalSize})) {
        return segment_value(records, fields("a segment"));
    }
    if (has({Word::kState, Word::kSize})) {
        return block_value(records, fields("a block"));
    }
    if (has({Word::kName, Word::kStage})) {
        return annotation_value(records, fields("an annotation"));
    }
    return plain_value(records, Kind::kPlainDict, pairs, origin);
}

}  // namespace highwater::pickle
