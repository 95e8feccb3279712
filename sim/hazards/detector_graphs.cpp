// HazardDetector's captures, replays and memory that leaves, and what it makes of a finding.
#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/hazards/hazard_detector.hpp"

namespace highwater {
namespace {

HazardSide side_of(const Access& access) {
    HazardSide side;
    side.op = access.op;
    side.does = access.writes ? HazardSide::Does::kWrite : HazardSide::Does::kRead;
    side.tensor = access.tensor;
    side.stream = access.stream;
    if (access.graph != Access::kNone) {
        side.graph = GraphId{access.graph};
        side.captured_op = access.node;
    }
    return side;
}

// What a captured access is when its graph is replayed.
Access replayed(const Access& captured, GraphId graph, std::uint32_t op, const WorkPoint& at) {
    Access access = captured;
    access.node = captured.op;
    access.op = op;
    access.graph = static_cast<std::uint32_t>(graph);
    access.stream = at.stream;
    access.epoch = at.epoch;
    return access;
}

}  // namespace

void HazardDetector::observe(const op::BeginCapture& op) {
    leave_capture(op.graph);
    CapturedAccesses& begun = captures_.emplace(op.graph, op.stream).first->second;
    part_of(op.stream) = {op.graph, &begun};
}

void HazardDetector::observe(const op::EndCapture& op) {
    if (const auto found = captures_.find(op.graph); found != captures_.end()) {
        graphs_[op.graph] = found->second.effect();
    }
    leave_capture(op.graph);
}

void HazardDetector::leave_capture(GraphId graph) {
    const auto found = captures_.find(graph);
    if (found == captures_.end()) {
        return;
    }
    for (const auto& member : found->second.order().members()) {
        part_of(member.first) = {};
    }
    captures_.erase(found);
}

void HazardDetector::observe(const op::Replay& op) {
    const auto found = graphs_.find(op.graph);
    if (found == graphs_.end()) {
        return;
    }
    GraphEffect& graph = found->second;
    const std::uint32_t lost = lost_by(graph).value_or(Access::kNone);
    const WorkPoint at = order_.replay(op.stream, graph.last_run);
    for (const RangeAccess& read : graph.reads) {
        const Access access = replayed(read.access, op.graph, op_, at);
        if (!is_stale(access)) {
            const auto first = memory_.cells(read.begin, read.end);
            memory_.read(first, read.end, access, at.known, *this);
        }
    }
    for (const RangeAccess& write : graph.writes) {
        Access access = replayed(write.access, op.graph, op_, at);
        access.unread = lost;
        is_stale(access);
        const auto first = memory_.cells(write.begin, write.end);
        memory_.write(first, write.end, access, at.known, *this);
    }
    graph.last = GraphEffect::Run{op_, at.stream, at.epoch};
}

// The replay before, if what it made would be lost. It is not where the host has waited for it: it
// could have looked, and did not. Nor where a loop goes round with nothing new to read: that makes
// the same once more.
std::optional<std::uint32_t> HazardDetector::lost_by(const GraphEffect& graph) {
    if (!graph.last || order_.host().covers(graph.last->stream, graph.last->epoch)) {
        return std::nullopt;
    }
    const auto& places = program_.places;
    const bool is_loop = op_ < places.size() && places[op_] == places[graph.last->op];
    return is_loop && !is_input_new(graph) ? std::nullopt : std::optional(graph.last->op);
}

bool HazardDetector::is_input_new(const GraphEffect& graph) {
    return std::ranges::any_of(graph.reads, [&](const RangeAccess& read) {
        const auto end = memory_.all().end();
        auto cell = memory_.cells(read.begin, read.end);
        while (cell != end && cell->first < read.end &&
               (cell->second.writes.empty() || cell->second.writes.back().op <= graph.last->op)) {
            ++cell;
        }
        return cell != end && cell->first < read.end;
    });
}

// Says so, too.
bool HazardDetector::is_stale(const Access& access) {
    const auto found = stale_.find(access.instance);
    if (found == stale_.end()) {
        return false;
    }
    Hazard hazard;
    hazard.kind = HazardKind::kStaleAddress;
    hazard.second = side_of(access);
    hazard.first.op = found->second;
    hazard.first.does = HazardSide::Does::kFree;
    const Tensor& used = tensors_[index_of(access.tensor)];
    const bool is_view = used.is_view && used.instance == access.instance;
    hazard.first.tensor = is_view ? used.view_of : access.tensor;
    hazard.first.stream = tensors_[index_of(access.tensor)].home;
    hazard.home = hazard.first.stream;
    hazard.freed = found->second;
    log_.add(hazard);
    return true;
}

// cudaFree waits for the whole device; before it unmaps, PyTorch waits for the segment's stream
// only.
void HazardDetector::give_back(const TraceEvent& event) {
    const Address end = event.address + event.size;
    if (event.kind == TraceEvent::Kind::kSegmentFree) {
        order_.synchronize();
        memory_.drop(event.address, end, [](const Access&, ShadowMemory::Iterator) {});
        return;
    }
    order_.synchronize(event.stream);
    memory_.drop(event.address, end, [&](const Access& access, ShadowMemory::Iterator cell) {
        note_unmapped(access, cell, event.stream);
    });
}

void HazardDetector::note_unmapped(const Access& access,
                                   ShadowMemory::Iterator cell,
                                   StreamId home) {
    const auto& awaited = cell->second.awaited;
    if (order_.host().covers(access.stream, access.epoch) ||
        (awaited != nullptr && awaited->covers(access.stream, access.epoch))) {
        return;
    }
    Access unmapping = access;
    unmapping.stream = home;
    Hazard hazard = hazard_of(access, unmapping, cell);
    hazard.kind = HazardKind::kUnmappedInUse;
    hazard.home = home;
    hazard.second.op = op_;
    hazard.second.does = HazardSide::Does::kUnmap;
    hazard.second.graph.reset();
    hazard.second.captured_op.reset();
    log_.add(hazard);
}

void HazardDetector::unordered(const Access& first,
                               const Access& second,
                               ShadowMemory::Iterator cell) {
    Hazard hazard = hazard_of(first, second, cell);
    hazard.kind = kind_of(first, second, find_freed(first, cell->first));
    log_.add(hazard);
}

void HazardDetector::overwritten(const Access& first,
                                 const Access& second,
                                 ShadowMemory::Iterator cell) {
    Hazard hazard = hazard_of(first, second, cell);
    hazard.kind = HazardKind::kOverwritten;
    log_.add(hazard);
}

void HazardDetector::outrun(const Access& first,
                            const Access& second,
                            ShadowMemory::Iterator cell) {
    Hazard hazard = hazard_of(first, second, cell);
    hazard.kind = HazardKind::kOverwritten;
    hazard.outrun = first.unread;
    log_.add(hazard);
}

Hazard HazardDetector::hazard_of(const Access& first,
                                 const Access& second,
                                 ShadowMemory::Iterator cell) {
    Hazard hazard;
    hazard.first = side_of(first);
    hazard.second = side_of(second);
    hazard.home = tensors_[index_of(second.tensor)].home;
    hazard.within = within_;
    hazard.begin = cell->first;
    hazard.size = cell->second.end - cell->first;
    if (const auto* freed = find_freed(first, cell->first)) {
        hazard.freed = freed->op;
    }
    return hazard;
}

HazardKind HazardDetector::kind_of(const Access& first,
                                   const Access& second,
                                   const ShadowMemory::Freed* freed) const {
    if (first.instance == second.instance) {
        return HazardKind::kUnordered;
    }
    if (first.graph != Access::kNone || second.graph != Access::kNone) {
        return HazardKind::kReplayOverlap;
    }
    if (first.stream == tensors_[index_of(second.tensor)].home) {
        return HazardKind::kUsedTooEarly;
    }
    const bool is_forgotten = freed != nullptr && freed->uses_lost;
    return is_forgotten ? HazardKind::kRecordForgotten : HazardKind::kReusedInUse;
}

// How the access's tensor was freed, if it was the last there. Captures share the allocator's
// memory, and so the tensors, with the rest of the Program.
const ShadowMemory::Freed* HazardDetector::find_freed(const Access& access, Address at) {
    const auto after = memory_.all().upper_bound(at);
    if (after == memory_.all().begin()) {
        return nullptr;
    }
    const ShadowMemory::Cell& cell = std::prev(after)->second;
    const bool is_last = cell.end > at && cell.freed.instance == access.instance;
    return is_last ? &cell.freed : nullptr;
}

}  // namespace highwater
