#include "tests/support/process.hpp"

#include <algorithm>

#include <fmt/ranges.h>

#include "sim/allocator/audit.hpp"

namespace highwater {

EventId ManualEvents::record(StreamId) {
    const EventId event{recorded_.size()};
    recorded_.push_back(event);
    if (idle) {
        completed_.insert(event);
    }
    return event;
}

std::optional<CaptureId> ScriptedCaptures::capture_of(StreamId stream) const {
    const auto found = members.find(stream);
    return found == members.end() ? std::nullopt : std::optional(found->second);
}

std::vector<NodeId> ScriptedCaptures::terminals(StreamId stream) const {
    const auto found = ends.find(stream);
    return found == ends.end() ? std::vector<NodeId>{} : found->second;
}

bool ScriptedCaptures::all_reached(const std::vector<NodeId>& nodes, StreamId stream) const {
    const auto found = reached.find(stream);
    return std::ranges::all_of(
        nodes, [&](NodeId node) { return found != reached.end() && found->second.contains(node); });
}

Process::Process(std::string_view conf, Bytes card)
    : memory(card),
      allocator(parse_settings(conf), card, Ports{memory, events, captures}),
      side(allocator.add_stream(StreamHandle{0x200})),
      other(allocator.add_stream(StreamHandle{0x100})) {
    allocator.set_trace(&log);
}

std::optional<BlockId> Process::try_malloc(Bytes size, StreamId stream) {
    const MallocResult result = allocator.malloc(size, stream);
    audit();
    const auto* allocated = std::get_if<Allocated>(&result);
    return allocated != nullptr ? std::optional(allocated->block) : std::nullopt;
}

BlockId Process::malloc(Bytes size, StreamId stream) {
    const auto block = try_malloc(size, stream);
    REQUIRE(block);
    return *block;
}

void Process::free(BlockId block) {
    allocator.free(block);
    audit();
}

void Process::record_stream(BlockId block, StreamId stream) {
    allocator.record_stream(block, stream);
    audit();
}

void Process::empty_cache() {
    allocator.empty_cache();
    audit();
}

void Process::begin_capture(PoolId pool, const std::vector<StreamId>& streams) {
    const CaptureId capture{static_cast<std::uint32_t>(pool.second + (pool.first << 16U))};
    allocator.begin_capture(pool, capture);
    for (const StreamId stream : streams) {
        captures.members[stream] = capture;
    }
}

void Process::end_capture(PoolId pool) {
    captures.members.clear();
    captures.ends.clear();
    captures.reached.clear();
    allocator.end_routing(pool);
    audit();
}

std::vector<Bytes> Process::free_sizes() const {
    std::vector<Bytes> sizes;
    for (const SegmentInfo& segment : allocator.snapshot()) {
        for (const BlockInfo& block : segment.blocks) {
            if (block.state == BlockState::kInactive) {
                sizes.push_back(block.size);
            }
        }
    }
    return sizes;
}

void Process::audit() const {
    const std::vector<std::string> findings = allocator::audit(allocator.state());
    INFO(fmt::format("{}", fmt::join(findings, "\n")));
    REQUIRE(findings.empty());
}

}  // namespace highwater
