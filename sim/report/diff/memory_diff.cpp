#include "sim/report/diff/memory_diff.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace highwater {
namespace {

std::int64_t growth_of(const std::optional<Bytes>& before, const std::optional<Bytes>& after) {
    return static_cast<std::int64_t>(after.value_or(Bytes{}).count) -
           static_cast<std::int64_t>(before.value_or(Bytes{}).count);
}

// A part that one side has not is nothing there, in whatever the other side tells.
PartSizes nothing_like(const PartSizes& other) {
    PartSizes nothing;
    nothing.allocated = other.allocated ? std::optional(Bytes{}) : std::nullopt;
    nothing.reserved = other.reserved ? std::optional(Bytes{}) : std::nullopt;
    nothing.segments = other.segments ? std::optional<std::uint64_t>(0) : std::nullopt;
    return nothing;
}

PartChange change_of(const std::string& name, const PartsByName& before, const PartsByName& after) {
    const auto was = before.find(name);
    const auto is = after.find(name);
    return {name,
            was != before.end() ? was->second : nothing_like(is->second),
            is != after.end() ? is->second : nothing_like(was->second)};
}

enum class By { kReserved, kAllocated };

std::vector<PartChange> changes(const PartsByName& before, const PartsByName& after, By by) {
    std::set<std::string> names;
    for (const PartsByName* parts : {&before, &after}) {
        for (const auto& [name, sizes] : *parts) {
            names.insert(name);
        }
    }
    std::vector<PartChange> all;
    for (const std::string& name : names) {
        PartChange change = change_of(name, before, after);
        if (change.before != change.after) {
            all.push_back(std::move(change));
        }
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, [by](const PartChange& change) {
        const std::int64_t reserved = growth_of(change.before.reserved, change.after.reserved);
        const std::int64_t allocated = growth_of(change.before.allocated, change.after.allocated);
        return by == By::kReserved ? std::pair(reserved, allocated)
                                   : std::pair(allocated, reserved);
    });
    return all;
}

bool is_handle(const std::string& stream) {
    return stream.starts_with("0x");
}

bool have_handles_in_common(const PartsByName& a, const PartsByName& b) {
    const auto is_in_both = [&b](const auto& part) {
        return is_handle(part.first) && b.contains(part.first);
    };
    return std::ranges::any_of(a, is_in_both);
}

bool has_handles(const PartsByName& streams) {
    return std::ranges::any_of(streams, [](const auto& part) { return is_handle(part.first); });
}

PartsByName named_by_size(PartsByName streams) {
    PartsByName renamed;
    std::vector<PartSizes> side;
    for (const auto& [name, sizes] : streams) {
        if (is_handle(name)) {
            side.push_back(sizes);
        } else {
            renamed.emplace(name, sizes);
        }
    }
    std::ranges::stable_sort(side, std::ranges::greater{}, [](const PartSizes& sizes) {
        return std::pair(sizes.reserved, sizes.allocated);
    });
    for (std::size_t i = 0; i < side.size(); ++i) {
        renamed.emplace(fmt::format("side stream {}", i + 1), side[i]);
    }
    return renamed;
}

void even_out_streams(MemoryParts& before, MemoryParts& after, std::vector<std::string>& notices) {
    if (!has_handles(before.streams) || !has_handles(after.streams) ||
        have_handles_in_common(before.streams, after.streams)) {
        return;
    }
    before.streams = named_by_size(std::move(before.streams));
    after.streams = named_by_size(std::move(after.streams));
    notices.emplace_back(
        "no handle of a side stream is in both: they are of two processes, and streams are "
        "compared "
        "in the order of what they have reserved");
}

// Owners of one side alone would all have grown, or shrunk, by everything.
void drop_owners_of_one(MemoryParts& before, MemoryParts& after) {
    if (before.owners.empty() || after.owners.empty()) {
        before.owners.clear();
        after.owners.clear();
    }
}

}  // namespace

MemoryDiff diff(MemoryParts before, MemoryParts after) {
    MemoryDiff result;
    for (const MemoryParts* parts : {&before, &after}) {
        for (const std::string& notice : parts->notices) {
            if (std::ranges::find(result.notices, notice) == result.notices.end()) {
                result.notices.push_back(notice);
            }
        }
    }
    even_out_streams(before, after, result.notices);
    drop_owners_of_one(before, after);
    result.total = {"together", before.total, after.total};
    result.pools = changes(before.pools, after.pools, By::kReserved);
    result.streams = changes(before.streams, after.streams, By::kReserved);
    result.owners = changes(before.owners, after.owners, By::kAllocated);
    return result;
}

MemoryDiff diff(const Snapshot& before, const Snapshot& after) {
    return diff(parts_of(before), parts_of(after));
}

}  // namespace highwater
