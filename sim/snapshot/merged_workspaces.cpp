#include "sim/snapshot/merged_workspaces.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace highwater {
namespace {

constexpr Bytes kCublas{8'519'680};
constexpr Bytes kCublasOnHopper{33'554'432};
constexpr Bytes kCublasLt{1'048'576};

bool is_cublas(Bytes size) {
    return size == kCublas || size == kCublasOnHopper;
}

// By allocation, of which `count` were there at the start.
std::vector<bool> freed_allocations(const RequestList& requests, std::size_t count) {
    std::vector<bool> is_freed(count);
    for (const Request request : requests) {
        if (request.kind == Request::Kind::kAlloc) {
            is_freed.resize(std::max(is_freed.size(), index_of(request.allocation) + 1));
        } else if (request.kind == Request::Kind::kFree) {
            is_freed[index_of(request.allocation)] = true;
        }
    }
    return is_freed;
}

// All that is allocated and never freed, as it came.
std::vector<CublasWorkspace> lasting_allocations(const RecordedHistory& recorded) {
    std::vector<CublasWorkspace> all;
    std::uint32_t next = 0;
    for (const StartRange& range : recorded.history.start) {
        const StreamHandle stream = recorded.history.regions[index_of(range.region)].stream;
        for (const StartBlock& block : range.blocks) {
            all.push_back({AllocationId{next++},
                           recorded.streams.id_of(stream),
                           block.requested,
                           range.region});
        }
    }
    const std::vector<bool> is_freed = freed_allocations(recorded.requests, next);
    std::erase_if(all,
                  [&is_freed](const CublasWorkspace& each) { return is_freed[index_of(each.id)]; });
    for (const Request request : recorded.requests) {
        if (request.kind == Request::Kind::kAlloc && !is_freed[index_of(request.allocation)]) {
            all.push_back({request.allocation,
                           recorded.streams.id_of(request.stream),
                           request.size,
                           kNoRegion});
        }
    }
    return all;
}

// Lasting allocations of 1 MiB are common: many on a stream are something else.
void keep_workspaces(std::vector<CublasWorkspace>& candidates) {
    std::map<StreamId, std::pair<std::size_t, std::size_t>> counts;
    for (const CublasWorkspace& each : candidates) {
        counts[each.stream].first += is_cublas(each.size) ? 1U : 0U;
        counts[each.stream].second += each.size == kCublasLt ? 1U : 0U;
    }
    std::erase_if(candidates, [&counts](const CublasWorkspace& each) {
        const auto& [cublas, lt] = counts[each.stream];
        return !is_cublas(each.size) && (each.size != kCublasLt || lt > cublas);
    });
}

}  // namespace

std::vector<CublasWorkspace> workspaces_found(const RecordedHistory& recorded) {
    std::vector<CublasWorkspace> candidates = lasting_allocations(recorded);
    keep_workspaces(candidates);
    return candidates;
}

MergedWorkspaces merged_workspaces(const RecordedHistory& recorded,
                                   const std::vector<StreamId>& streams) {
    MergedWorkspaces result;
    // A stream has as many as threads call cuBLAS on it; merged, as many as its busiest part had.
    std::map<std::pair<StreamId, Bytes>, std::size_t> recorded_count;
    std::map<std::pair<StreamId, Bytes>, std::size_t> made;
    for (const CublasWorkspace& each : workspaces_found(recorded)) {
        const std::size_t nth = ++recorded_count[{each.stream, each.size}];
        std::size_t& of_merged = made[{streams[index_of(each.stream)], each.size}];
        if (nth > of_merged) {
            ++of_merged;
            continue;
        }
        result.left_out.resize(std::max(result.left_out.size(), index_of(each.id) + 1));
        result.left_out[index_of(each.id)] = true;
        ++result.count;
        result.bytes += each.size;
    }
    return result;
}

}  // namespace highwater
