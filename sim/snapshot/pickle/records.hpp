#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/snapshot/check_snapshot.hpp"
#include "sim/snapshot/event_list.hpp"
#include "sim/snapshot/pickle/origin.hpp"
#include "sim/snapshot/pickle/strings.hpp"
#include "sim/snapshot/pickle/value.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater::pickle {

/// A block as it stands in the file: old ones lack what they could be told from their segment.
struct BlockRecord {
    std::optional<Address> address;
    Bytes size;
    std::optional<Bytes> requested;
    BlockState state{};
    StackId stack = kNoStack;
};

struct SegmentRecord {
    /// Without its blocks.
    SnapshotSegment segment;
    std::uint32_t device = 0;
    std::size_t first_block = 0;
    std::size_t block_count = 0;
    SegmentTotals totals;
};

struct AnnotationRecord {
    /// In `Records::strings`.
    std::uint32_t name = 0;
    bool is_start = false;
    std::optional<std::uint32_t> device;
    std::int64_t time_us = 0;
};

/// What a pickle's lists and dicts turned into. Of every kind, in the order of the file.
struct Records {
    Strings strings;
    StackTable stacks;
    EventList events;
    std::vector<BlockRecord> blocks;
    std::vector<SegmentRecord> segments;
    std::vector<AnnotationRecord> annotations;
    /// Pool ids, and whatever else is two small numbers.
    std::vector<PoolId> pairs;
    std::map<PoolId, std::uint32_t> pair_numbers;
    /// The values of lists and dicts that are none of these.
    std::vector<Value> plain;
    /// Actions that are not known, and how many events have them.
    std::map<std::string, std::size_t> unknown_actions;
};

/// What a complete list or tuple is. `items` holds no open ones. Throws `InputError`.
Value list_value(Records& records, std::span<const Value> items, const Origin& origin);

/// What a complete dict is: key and value in turns. Throws `InputError`.
Value dict_value(Records& records, std::span<const Value> pairs, const Origin& origin);

/// For what is neither. Throws `InputError` if it is nested too deeply, or there is too much of it.
Value plain_value(Records& records,
                  Value::Kind kind,
                  std::span<const Value> items,
                  const Origin& origin);

}  // namespace highwater::pickle
