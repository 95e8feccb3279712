#include "validate/describe.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace highwater {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
// clang 14 does not deduce it by itself.
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

void add_stat(std::map<std::string, std::uint64_t>& to, const std::string& name, const Stat& stat) {
    to[name + ".current"] = stat.current;
    to[name + ".peak"] = stat.peak;
    to[name + ".allocated"] = stat.allocated;
    to[name + ".freed"] = stat.freed;
}

}  // namespace

RecordedResult recorded_form(const OpResult& result) {
    return std::visit(
        Overloaded{[](std::monostate) { return RecordedResult{}; },
                   [](const Placed& placed) { return RecordedResult{placed.address}; },
                   [](PoolId id) { return RecordedResult{id}; },
                   [](const OutOfMemory&) { return RecordedResult{RecordedOutOfMemory{}}; }},
        result);
}

std::string describe(const RecordedResult& result) {
    return std::visit(
        Overloaded{[](std::monostate) -> std::string { return "nothing"; },
                   [](Address address) { return fmt::format("address {:#x}", address.value); },
                   [](PoolId id) { return fmt::format("pool ({}, {})", id.first, id.second); },
                   [](RecordedOutOfMemory) -> std::string { return "out of memory"; }},
        result);
}

std::string describe(const TraceEvent& event) {
    return fmt::format("{} at {:#x}, {} B, stream {}",
                       name_of(event.kind),
                       event.address.value,
                       event.size.count,
                       index_of(event.stream));
}

std::string describe(const SegmentInfo& segment) {
    std::string blocks;
    for (const BlockInfo& block : segment.blocks) {
        blocks += fmt::format(
            " [{} {} {}]", block.size.count, block.requested.count, name_of(block.state));
    }
    return fmt::format("{} at {:#x}, {} B, stream {}, pool ({}, {}){}:{}",
                       segment.kind == PoolKind::kSmall ? "small" : "large",
                       segment.address.value,
                       segment.size.count,
                       index_of(segment.stream),
                       segment.pool.first,
                       segment.pool.second,
                       segment.is_expandable ? ", expandable" : "",
                       blocks);
}

CounterReader counter_reader(std::string_view name) {
    for (const NamedStatByPool& stat : kStatsByPool) {
        if (stat.name == name) {
            return [at = stat.value](const MemoryStats& stats) { return (stats.*at).all.current; };
        }
    }
    for (const NamedCount& count : kCounts) {
        if (count.name == name) {
            return [at = count.value](const MemoryStats& stats) { return stats.*at; };
        }
    }
    throw std::invalid_argument(fmt::format("PyTorch has no statistic '{}'", name));
}

std::map<std::string, std::uint64_t> flat(const MemoryStats& stats) {
    std::map<std::string, std::uint64_t> result;
    for (const NamedStatByPool& stat : kStatsByPool) {
        const std::string name(stat.name);
        add_stat(result, name + ".all", (stats.*stat.value).all);
        add_stat(result, name + ".small_pool", (stats.*stat.value).small_pool);
        add_stat(result, name + ".large_pool", (stats.*stat.value).large_pool);
    }
    add_stat(result, "oversize_allocations", stats.oversize_allocations);
    add_stat(result, "oversize_segments", stats.oversize_segments);
    for (const NamedCount& count : kCounts) {
        result[std::string(count.name)] = stats.*count.value;
    }
    return result;
}

}  // namespace highwater
