#include "validate/recorded_json.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/allocator/constants.hpp"
#include "sim/allocator/settings.hpp"
#include "sim/snapshot/json_trace.hpp"
#include "validate/describe.hpp"
#include "validate/recorded_ops.hpp"
#include "validate/recorded_values.hpp"

namespace highwater {
namespace {

using nlohmann::json;

PoolId read_pool_id(const json& value) {
    return {unsigned_of(value.at(0)), unsigned_of(value.at(1))};
}

BlockState read_block_state(const std::string& name) {
    for (const auto state :
         {BlockState::kInactive, BlockState::kActiveAllocated, BlockState::kActivePendingFree}) {
        if (name_of(state) == name) {
            return state;
        }
    }
    throw std::invalid_argument("unknown block state " + name);
}

// Blocks as [size, requested, state] in address order, which tile the segment.
void read_blocks(SegmentInfo& segment, const json& blocks) {
    Bytes covered;
    for (const json& block : blocks) {
        const Bytes size = bytes_of(block.at(0));
        if (size > segment.size - covered) {
            throw std::invalid_argument("the blocks of a segment are larger than the segment");
        }
        if (size == Bytes{0} || size % kMinBlockSize > Bytes{0}) {
            throw std::invalid_argument(fmt::format("a block has {} bytes", size.count));
        }
        segment.blocks.push_back({segment.address + covered,
                                  size,
                                  bytes_of(block.at(1)),
                                  read_block_state(block.at(2).get<std::string>())});
        covered += size;
    }
    if (covered != segment.size) {
        throw std::invalid_argument("the blocks of a segment are smaller than the segment");
    }
}

PoolKind read_kind(const std::string& name) {
    if (name != "small" && name != "large") {
        throw std::invalid_argument("unknown segment type " + name);
    }
    return name == "small" ? PoolKind::kSmall : PoolKind::kLarge;
}

SegmentInfo read_base_segment(const Program& program, bool is_expandable, const json& value) {
    SegmentInfo segment;
    segment.address = address_of(value.at("address"));
    segment.size = bytes_of(value.at("total_size"));
    segment.stream = stream_of(program, value.at("stream"));
    segment.kind = read_kind(value.at("segment_type").get<std::string>());
    segment.pool = read_pool_id(value.at("segment_pool_id"));
    segment.is_expandable = is_expandable;
    read_blocks(segment, value.at("blocks"));
    return segment;
}

// [address, total_size, stream, small/large, pool id, expandable, blocks]
SegmentInfo read_final_segment(const Program& program, const json& value) {
    std::size_t field = 0;
    SegmentInfo segment;
    segment.address = address_of(value.at(field++));
    segment.size = bytes_of(value.at(field++));
    segment.stream = stream_of(program, value.at(field++));
    segment.kind = read_kind(value.at(field++).get<std::string>());
    segment.pool = read_pool_id(value.at(field++));
    segment.is_expandable = value.at(field++).get<bool>();
    read_blocks(segment, value.at(field));
    return segment;
}

TraceEvent::Kind read_event_kind(const std::string& letter) {
    const auto kind = kind_of_letter(letter);
    if (!kind) {
        throw std::invalid_argument("unknown trace event " + letter);
    }
    return *kind;
}

TraceEvent read_event(const Program& program, const json& value) {
    return {read_event_kind(value.at(0).get<std::string>()),
            stream_of(program, value.at(3)),
            address_of(value.at(1)),
            bytes_of(value.at(2)),
            PoolId{}};
}

Stat read_stat(const json& value) {
    return {unsigned_of(value.at("current")),
            unsigned_of(value.at("peak")),
            unsigned_of(value.at("allocated")),
            unsigned_of(value.at("freed"))};
}

MemoryStats read_stats(const json& value) {
    MemoryStats stats;
    for (const NamedStatByPool& stat : kStatsByPool) {
        const json& by_pool = value.at(std::string(stat.name));
        stats.*stat.value = {read_stat(by_pool.at("all")),
                             read_stat(by_pool.at("small_pool")),
                             read_stat(by_pool.at("large_pool"))};
    }
    stats.oversize_allocations = read_stat(value.at("oversize_allocations"));
    stats.oversize_segments = read_stat(value.at("oversize_segments"));
    for (const NamedCount& count : kCounts) {
        stats.*count.value = unsigned_of(value.at(std::string(count.name)));
    }
    return stats;
}

// Segments that an allocator can have held: apart from each other, and from what they grow into.
void check_base(const RecordedProgram& recorded) {
    const Machine& machine = recorded.program.machine;
    const Bytes most = machine.total_memory + Bytes{machine.total_memory.count / 8};
    const Bytes reservation = round_up(most, parse_settings(machine.conf).large_segment_size);
    std::vector<SegmentInfo> base = recorded.base;
    std::ranges::sort(base, {}, &SegmentInfo::address);
    Address end;
    for (const SegmentInfo& segment : base) {
        if (segment.address < end || segment.size == Bytes{0} || segment.size > most) {
            throw std::invalid_argument(
                fmt::format("the segment at {} cannot be", segment.address.value));
        }
        end = segment.address + (segment.is_expandable ? reservation : segment.size);
    }
}

void read_streams(Program& program, const json& handles) {
    for (const json& handle : handles) {
        const StreamHandle value{unsigned_of(handle)};
        program.streams.push_back({fmt::format("s{}", program.streams.size()), value});
    }
}

}  // namespace

RecordedHead read_recorded_head(const json& value) {
    RecordedHead head;
    head.machine.total_memory = bytes_of(value.at("total_memory"));
    head.machine.conf = value.at("conf").get<std::string>();
    if (head.machine.total_memory > kMaxTotalMemory) {
        throw std::invalid_argument("total_memory is more than any card has");
    }
    const auto fraction = value.at("fraction").get<double>();
    head.machine.memory_fraction = fraction == 0 ? 1 : fraction;
    head.counters = value.at("stats").get<std::vector<std::string>>();
    parse_settings(head.machine.conf);
    std::ranges::for_each(head.counters, [](const std::string& name) { counter_reader(name); });
    return head;
}

RecordedProgram read_recorded_program(const RecordedHead& head, const json& value) {
    RecordedProgram recorded;
    recorded.seed = value.at("seed").dump();
    recorded.counters = head.counters;
    recorded.program.machine = head.machine;
    read_streams(recorded.program, list_of(value, "streams"));
    const bool expandable = parse_settings(head.machine.conf).expandable_segments;
    for (const json& segment : list_of(value, "base")) {
        recorded.base.push_back(read_base_segment(recorded.program, expandable, segment));
    }
    check_base(recorded);
    read_recorded_ops(recorded, list_of(value, "ops"), list_of(value, "rows"));
    for (const json& event : list_of(value, "trace")) {
        recorded.trace.push_back(read_event(recorded.program, event));
    }
    for (const json& segment : list_of(value, "segments")) {
        recorded.segments.push_back(read_final_segment(recorded.program, segment));
    }
    std::ranges::sort(recorded.segments, {}, &SegmentInfo::address);
    recorded.final = read_stats(value.at("final"));
    return recorded;
}

}  // namespace highwater
