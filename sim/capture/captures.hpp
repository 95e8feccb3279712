#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/capture/capture_graph.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// What `cudaEventRecord` leaves in an event: in a capturing stream, the nodes recorded so far.
struct CapturedEvent {
    CaptureId capture{};
    std::vector<NodeId> nodes;
};

/// The captures under way: which streams are part of them, and the nodes captured so far with what
/// they depend on. As far as the allocator needs it; legality in full, shapes and replay order come
/// with capture analysis. Rules: around-allocator specification 9.3.
class Captures : public CaptureSource {
  public:
    /// cudaStreamBeginCapture. Throws `PredictedError` for a stream that is capturing already.
    void begin(CaptureId capture, StreamId origin);
    /// cudaStreamEndCapture on the origin: all streams of the capture leave it. Throws
    /// `PredictedError` if one of them was not joined back.
    CaptureGraph end(CaptureId capture, StreamId origin);

    /// Work in a stream that is capturing: a node behind the stream's terminals.
    void add(StreamId stream, const GraphNode& node);
    /// cudaEventRecord: no value outside captures.
    std::optional<CapturedEvent> record(StreamId stream) const;
    /// cudaStreamWaitEvent: joins the stream to the event's capture. Throws `PredictedError` where
    /// the wait would merge captures or cross a capture's border.
    void wait(StreamId stream, const std::optional<CapturedEvent>& event);

    /// Edges captured so far, over all captures.
    std::uint64_t edges() const { return edges_; }

    bool is_any_active() const { return !members_.empty(); }

    std::optional<CaptureId> capture_of(StreamId stream) const override;
    std::vector<NodeId> terminals(StreamId stream) const override;
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override;

  private:
    /// A stream's part in a capture.
    struct Member {
        CaptureId capture{};
        /// Ascending.
        std::vector<NodeId> terminals;
        /// Ancestors-or-self of the terminals, as far as they have been asked for. It only grows.
        mutable std::vector<bool> reached;
    };

    /// A node, and what it depends on.
    struct Captured {
        CaptureId capture{};
        GraphNode node;
        std::vector<NodeId> dependencies;
    };

    bool is_active(CaptureId capture) const;
    CaptureGraph graph_of(CaptureId capture) const;
    bool mark_reached(const Member& member, NodeId node) const;
    void extend_reached(const Member& member) const;

    std::map<StreamId, Member> members_;
    /// Over all captures under way: node `first_node_` + i at place i. Ids are not used again,
    /// because blocks may stay parked, with nodes for markers, after their capture has ended.
    std::vector<Captured> nodes_;
    std::uint64_t first_node_ = 0;
    std::uint64_t edges_ = 0;
};

}  // namespace highwater
