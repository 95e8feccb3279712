#include "sim/capture/captures.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "sim/allocator/predicted_error.hpp"
#include "sim/core/check.hpp"

namespace highwater {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw PredictedError(PredictedError::Kind::kRuntimeError, what);
}

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

void Captures::begin(CaptureId capture, StreamId origin) {
    if (members_.contains(origin)) {
        refuse("capture begins on a stream that is capturing already");
    }
    members_[origin] = {.capture = capture, .terminals = {}, .reached = {}};
}

CaptureGraph Captures::end(CaptureId capture, StreamId origin) {
    const bool joined = std::ranges::all_of(members_, [&](const auto& entry) {
        return entry.second.capture != capture || all_reached(entry.second.terminals, origin);
    });
    CaptureGraph graph = graph_of(capture);
    std::erase_if(members_,
                  [capture](const auto& entry) { return entry.second.capture == capture; });
    if (members_.empty()) {
        first_node_ += nodes_.size();
        nodes_.clear();
    }
    if (!joined) {
        refuse(
            "capture ends with unjoined work on a side stream "
            "(cudaErrorStreamCaptureUnjoined): the capture stream must wait for it");
    }
    return graph;
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
    const auto found = members_.find(stream);
    check(found != members_.end(), "a node is captured on a stream that is capturing");
    Member& member = found->second;
    const NodeId id{first_node_ + nodes_.size()};
    edges_ += member.terminals.size();
    nodes_.push_back({member.capture, node, std::exchange(member.terminals, {id})});
}

std::optional<CapturedEvent> Captures::record(StreamId stream) const {
    const auto found = members_.find(stream);
    if (found == members_.end()) {
        return std::nullopt;
    }
    return CapturedEvent{found->second.capture, found->second.terminals};
}

void Captures::wait(StreamId stream, const std::optional<CapturedEvent>& event) {
    const auto found = members_.find(stream);
    if (!event) {
        if (found != members_.end()) {
            refuse(
                "a capturing stream waits for an event from outside its capture "
                "(cudaErrorStreamCaptureIsolation)");
        }
        return;
    }
    if (!is_active(event->capture)) {
        refuse(
            "a stream waits for an event that was recorded in a capture that has ended "
            "(cudaErrorCapturedEvent)");
    }
    Member& member = members_.try_emplace(stream, Member{event->capture, {}, {}}).first->second;
    if (member.capture != event->capture) {
        refuse("a wait would merge two captures (cudaErrorStreamCaptureMerge)");
    }
    join(member.terminals, event->nodes);
}

bool Captures::is_active(CaptureId capture) const {
    return std::ranges::any_of(
        members_, [capture](const auto& entry) { return entry.second.capture == capture; });
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
