#include <algorithm>

#include <fmt/format.h>

#include "sim/snapshot/pickle/records.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

// A snapshot's own plain values are a few settings; the rest is what later versions may add.
constexpr std::size_t kMostPlainValues = 1U << 23U;
constexpr std::uint8_t kMostLevels = 64;

bool is_small_number(const Value& value) {
    return value.kind == Kind::kInt && value.bits >= 0 &&
           static_cast<std::uint64_t>(value.bits) <= kMostBytes.count;
}

Value pair_value(Records& records, const Value& first, const Value& second) {
    const PoolId pair{static_cast<std::uint64_t>(first.bits),
                      static_cast<std::uint64_t>(second.bits)};
    const auto next = static_cast<std::uint32_t>(records.pairs.size());
    const auto [place, is_new] = records.pair_numbers.try_emplace(pair, next);
    if (is_new) {
        records.pairs.push_back(pair);
    }
    return {Kind::kPair, 0, 0, place->second};
}

Value stack_value(Records& records, std::span<const Value> frames) {
    std::vector<FrameId> ids(frames.size());
    std::ranges::transform(
        frames, ids.begin(), [](const Value& frame) { return FrameId{frame.number()}; });
    return {Kind::kStack, 0, 0, static_cast<std::int64_t>(records.stacks.add_stack(ids))};
}

// The kind of a list of one run.
Kind list_of(Kind run) {
    switch (run) {
        case Kind::kEvents:
            return Kind::kEventList;
        case Kind::kBlocks:
            return Kind::kBlockList;
        case Kind::kSegments:
            return Kind::kSegmentList;
        default:
            return Kind::kAnnotationList;
    }
}

}  // namespace

Value plain_value(Records& records, Kind kind, std::span<const Value> items, const Origin& origin) {
    std::uint8_t below = 0;
    for (const Value& item : items) {
        below = std::max(below, item.depth);
    }
    if (below == kMostLevels) {
        refuse(origin, fmt::format("lists and dicts are nested more than {} deep", kMostLevels));
    }
    if (records.plain.size() + items.size() > kMostPlainValues) {
        refuse(origin, "more that is no event, block or frame than a snapshot has");
    }
    const std::size_t first = records.plain.size();
    records.plain.insert(records.plain.end(), items.begin(), items.end());
    return {kind,
            static_cast<std::uint8_t>(below + 1),
            static_cast<std::uint32_t>(items.size()),
            static_cast<std::int64_t>(first)};
}

Value list_value(Records& records, std::span<const Value> items, const Origin& origin) {
    if (items.empty()) {
        return {Kind::kEmptyList};
    }
    const Value& first = items.front();
    if (is_run(first.kind)) {
        // Those that follow each other have become one item already.
        if (items.size() > 1) {
            refuse(origin, "events, blocks, segments or annotations stand in two places");
        }
        return {list_of(first.kind), 0, first.count, first.bits};
    }
    const auto is_frame = [](const Value& item) { return item.kind == Kind::kFrame; };
    if (std::ranges::all_of(items, is_frame)) {
        return stack_value(records, items);
    }
    if (items.size() == 2 && std::ranges::all_of(items, is_small_number)) {
        return pair_value(records, first, items.back());
    }
    return plain_value(records, Kind::kPlainList, items, origin);
}

}  // namespace highwater::pickle
