#include "sim/capture/captures.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sim/capture/capture_errors.hpp"
#include "sim/core/check.hpp"

namespace highwater {
namespace {

// Adds nodes to a set of nodes, both ascending.
void join(std::vector<NodeId>& nodes, const std::vector<NodeId>& added) {
    if (nodes.empty() || added.empty() || nodes.back() < added.front()) {
        nodes.insert(nodes.end(), added.begin(), added.end());
        return;
    }
    std::vector<NodeId> both;
    std::ranges::set_union(nodes, added, std::back_inserter(both));
    nodes = std::move(both);
}

}  // namespace

void Captures::begin(CaptureId capture, StreamId origin, CaptureMode mode) {
    if (const Member* part = member(origin)) {
        throw capture_errors::begins_twice(name_of(origin), origin_of(part->capture));
    }
    if (origin == kDefaultStream) {
        throw capture_errors::begins_on_default_stream();
    }
    under_way_[capture] = {.origin = origin,
                           .mode = mode,
                           .thread = thread_,
                           .has_blocking = is_blocking(origin),
                           .broken_by = std::nullopt};
    members_[origin] = {.capture = capture, .terminals = {}, .reached = {}};
}

CaptureGraph Captures::end(StreamId stream) {
    const Member* part = member(stream);
    if (part == nullptr) {
        throw capture_errors::ends_nothing(name_of(stream));
    }
    const CaptureId capture = part->capture;
    const UnderWay ended = under_way_.at(capture);
    if (stream != ended.origin) {
        fail(capture_errors::ends_on_other_stream(name_of(stream), name_of(ended.origin)), capture);
    }
    const std::optional<StreamId> unjoined = unjoined_stream(capture);
    CaptureGraph graph = graph_of(capture);
    drop(capture);
    if (ended.mode != CaptureMode::kRelaxed && ended.thread != thread_) {
        throw capture_errors::ends_on_other_thread(name_of(stream));
    }
    if (ended.broken_by) {
        throw broken(ended);
    }
    if (unjoined) {
        throw capture_errors::unjoined(name_of(*unjoined), name_of(stream));
    }
    return graph;
}

// A stream without work of its own needs no join.
std::optional<StreamId> Captures::unjoined_stream(CaptureId capture) const {
    const StreamId origin = under_way_.at(capture).origin;
    for (const auto& [stream, part] : members_) {
        if (part.capture == capture && !all_reached(part.terminals, origin)) {
            return stream;
        }
    }
    return std::nullopt;
}

void Captures::drop(CaptureId capture) {
    std::erase_if(members_,
                  [capture](const auto& entry) { return entry.second.capture == capture; });
    under_way_.erase(capture);
    if (under_way_.empty()) {
        first_node_ += nodes_.size();
        nodes_.clear();
    }
}

CaptureGraph Captures::graph_of(CaptureId capture) const {
    CaptureGraph graph;
    std::vector<std::size_t> vertices(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].capture != capture) {
            continue;
        }
        vertices[i] = add_vertex(nodes_[i].node, graph);
        for (const NodeId before : nodes_[i].dependencies) {
            add_edge(
                vertices[static_cast<std::uint64_t>(before) - first_node_], vertices[i], graph);
        }
    }
    return graph;
}

void Captures::add(StreamId stream, const GraphNode& node) {
    Member* part = member(stream);
    check(part != nullptr, "a node is captured on a stream that is capturing");
    require_unbroken(stream);
    const NodeId id{first_node_ + nodes_.size()};
    edges_ += part->terminals.size();
    nodes_.push_back({part->capture, node, std::exchange(part->terminals, {id})});
}

std::optional<CapturedEvent> Captures::record(StreamId stream) {
    const Member* part = member(stream);
    if (part == nullptr) {
        add_outside(stream);
        return std::nullopt;
    }
    require_unbroken(stream);
    return CapturedEvent{part->capture, part->terminals};
}

void Captures::wait(StreamId stream,
                    const std::optional<CapturedEvent>& event,
                    const OutsideWork& outside) {
    require_unbroken(stream);
    if (!event) {
        wait_outside(stream, outside);
    } else if (!is_active(event->capture)) {
        fail_stale(stream);
    } else if (stream == kDefaultStream) {
        fail(capture_errors::default_stream_joins(origin_of(event->capture)), event->capture);
    } else {
        join_capture(stream, *event);
    }
}

void Captures::wait_outside(StreamId stream, const OutsideWork& outside) {
    if (const Member* part = member(stream)) {
        fail(capture_errors::waits_outside(name_of(stream), origin_of(part->capture), outside),
             part->capture);
    }
    add_outside(stream);
}

// A capture in which it happens breaks.
void Captures::fail_stale(StreamId stream) {
    const PredictedError error = capture_errors::stale_event();
    if (const Member* part = member(stream)) {
        fail(error, part->capture);
    }
    throw error;
}

void Captures::join_capture(StreamId stream, const CapturedEvent& event) {
    Member& part = members_.try_emplace(stream, Member{event.capture, {}, {}}).first->second;
    if (part.capture != event.capture) {
        const PredictedError error = capture_errors::merges(
            name_of(stream), origin_of(part.capture), origin_of(event.capture));
        break_by(error, part.capture);
        fail(error, event.capture);
    }
    under_way_.at(event.capture).has_blocking |= is_blocking(stream);
    join(part.terminals, event.nodes);
}

std::optional<CaptureId> Captures::capture_of(StreamId stream) const {
    const auto found = members_.find(stream);
    return found == members_.end() ? std::nullopt : std::optional(found->second.capture);
}

std::vector<NodeId> Captures::terminals(StreamId stream) const {
    const auto found = members_.find(stream);
    return found == members_.end() ? std::vector<NodeId>{} : found->second.terminals;
}

bool Captures::mark_reached(const Member& member, NodeId node) const {
    // Ids below belong to captures that have ended.
    const std::uint64_t place = static_cast<std::uint64_t>(node) - first_node_;
    if (member.reached[place]) {
        return false;
    }
    member.reached[place] = true;
    return true;
}

void Captures::extend_reached(const Member& member) const {
    member.reached.resize(nodes_.size());
    std::vector<NodeId> open = member.terminals;
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        if (mark_reached(member, node)) {
            const auto& before =
                nodes_[static_cast<std::uint64_t>(node) - first_node_].dependencies;
            open.insert(open.end(), before.begin(), before.end());
        }
    }
}

bool Captures::all_reached(const std::vector<NodeId>& nodes, StreamId stream) const {
    const auto found = members_.find(stream);
    if (found == members_.end()) {
        return nodes.empty();
    }
    extend_reached(found->second);
    return std::ranges::all_of(nodes, [&](NodeId node) {
        const auto id = static_cast<std::uint64_t>(node);
        return id >= first_node_ && found->second.reached[id - first_node_];
    });
}

}  // namespace highwater
