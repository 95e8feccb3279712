#pragma once

#include <vector>

#include "sim/allocator/state.hpp"

namespace highwater {

enum class BlockState { kInactive, kActiveAllocated, kActivePendingFree };

/// PyTorch's names of the states.
constexpr std::string_view name_of(BlockState state) {
    constexpr std::array<std::string_view, 3> kNames{
        "inactive", "active_allocated", "active_pending_free"};
    return kNames[static_cast<std::size_t>(state)];
}

/// Sizes in bytes. `requested` of an inactive block is the last request it served, or 0; after
/// `adopt` it may be `kUnknownRequest`.
struct BlockInfo {
    Address address;
    Bytes size;
    Bytes requested;
    BlockState state{};
    friend bool operator==(const BlockInfo&, const BlockInfo&) = default;
};

/// A segment, or one contiguous mapped range of an expandable segment. The blocks tile it, in
/// address order (around-allocator specification 7.2).
struct SegmentInfo {
    Address address;
    Bytes size;
    StreamId stream{};
    PoolKind kind{};
    PoolId pool;
    bool is_expandable = false;
    std::vector<BlockInfo> blocks;
    friend bool operator==(const SegmentInfo&, const SegmentInfo&) = default;
};

namespace allocator {

/// Whether a segment, or a contiguous mapped range of an expandable one, begins with the block.
bool starts_range(const State& s, const Block& block);

/// All segments by address, as `torch.cuda.memory_snapshot` lists them.
std::vector<SegmentInfo> snapshot(const State& s);

/// Equal but for requests that memory served before it was recorded (`kUnknownRequest`).
bool same_as_far_as_known(const SegmentInfo& one, const SegmentInfo& other);

/// Takes over segments that existed before: the counters count them as current, with nothing
/// allocated or freed and peaks as now. The ports are not asked for their memory. Expandable ranges
/// of one stream in one pool are taken to be in one reservation as far as it reaches; it begins at
/// the first of them, or at the last of `reservations` before it that is not behind the range
/// before. A block pending a free is taken to be free.
void adopt(State& s,
           const std::vector<SegmentInfo>& segments,
           const std::vector<Address>& reservations = {});

}  // namespace allocator
}  // namespace highwater
