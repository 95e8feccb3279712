#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/capture/capture_graph.hpp"
#include "sim/capture/capture_mode.hpp"
#include "sim/capture/capture_rules.hpp"
#include "sim/core/ids.hpp"

namespace highwater {

/// What `cudaEventRecord` leaves in an event: in a capturing stream, the nodes recorded so far.
struct CapturedEvent {
    CaptureId capture{};
    std::vector<NodeId> nodes;
};

/// What a stream waits for that is not part of a capture, for messages.
struct OutsideWork {
    /// `event `e`, recorded on stream `s` at FILE:LINE:COLUMN`; empty if it is not known.
    std::string what;
    std::string remedy;
};

/// A stream as captures see it.
struct CapturableStream {
    std::string name;
    /// Made without cudaStreamNonBlocking: it and the default stream wait for each other.
    bool blocking = false;
};

/// The captures under way: which streams are part of them, the nodes captured so far with what
/// they depend on, and what CUDA forbids meanwhile. Rules: around-allocator specification 9, as
/// corrected by measurements.
///
/// Each function is a call of CUDA's and throws `PredictedError` where CUDA gives an error. Most
/// errors break the captures concerned: whatever is done with their streams from then on fails too,
/// and so does their end, which leaves no graph.
class Captures : public CaptureSource {
  public:
    /// By StreamId. Those beyond have numbers for names and are not blocking.
    explicit Captures(std::vector<CapturableStream> streams = {}) : streams_(std::move(streams)) {}

    /// What follows is called by that thread.
    void switch_thread(ThreadId thread) { thread_ = thread; }
    /// What follows is done by that operation of a Program.
    void set_operation(std::size_t op) { op_ = op; }

    /// cudaStreamBeginCapture. Errors 401 and 900 start nothing and break nothing.
    void begin(CaptureId capture, StreamId origin, CaptureMode mode = CaptureMode::kGlobal);
    /// cudaStreamEndCapture: all streams of the capture leave it, also with errors 901, 904 and
    /// 908. Error 401 ends nothing; 903 breaks the capture.
    CaptureGraph end(StreamId stream);

    /// Work in a stream that is capturing: a node behind the stream's terminals. Error 901.
    void add(StreamId stream, const GraphNode& node);
    /// Work in a stream that is not. Error 906.
    void add_outside(StreamId stream);
    /// cudaEventRecord: no value outside captures. Errors 901, 906.
    std::optional<CapturedEvent> record(StreamId stream);
    /// cudaStreamWaitEvent: joins the stream to the event's capture. No value is an event that was
    /// recorded outside, `outside` says which for the error. Errors 1, 901, 902, 905, 906.
    void wait(StreamId stream,
              const std::optional<CapturedEvent>& event,
              const OutsideWork& outside = {});
    /// What asks for a stream's capture fails with 901 if it is broken, as PyTorch's allocator
    /// does.
    void require_unbroken(StreamId stream) const;

    /// cudaStreamSynchronize. Errors 900, 906.
    void synchronize(StreamId stream);
    /// cudaEventSynchronize and cudaEventQuery. Errors 1, 900, 907.
    void synchronize_event(const std::optional<CapturedEvent>& event);
    void query_event(const std::optional<CapturedEvent>& event);
    /// Any other call. Error 900.
    void call(CudaCall call);
    /// The same where the caller does not pass the error on.
    /// `what` happens, as the beginning of a sentence, in place of the rule's own words.
    std::optional<PredictedError> error_of(CudaCall call, std::string_view what = {});

    /// Edges captured so far, over all captures.
    std::uint64_t edges() const { return edges_; }

    /// Under way and not broken.
    bool is_active(CaptureId capture) const;

    std::optional<CaptureId> capture_of(StreamId stream) const override;
    std::vector<NodeId> terminals(StreamId stream) const override;
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override;

  private:
    struct UnderWay {
        StreamId origin{};
        CaptureMode mode{};
        ThreadId thread{};
        /// Whether a blocking stream is part of it.
        bool has_blocking = false;
        /// Why it is broken, if it is.
        std::optional<PredictedError> broken_by;
        std::size_t broken_at = 0;
    };

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

    std::string name_of(StreamId stream) const;
    PredictedError broken(const UnderWay& capture) const;
    bool is_blocking(StreamId stream) const;
    std::string origin_of(CaptureId capture) const {
        return name_of(under_way_.at(capture).origin);
    }
    const Member* member(StreamId stream) const;
    Member* member(StreamId stream);
    void break_by(const PredictedError& error, CaptureId capture);
    [[noreturn]] void fail(const PredictedError& error, CaptureId breaking);
    /// The error of a call that concerns one capture, or all; breaks those that forbid it.
    std::optional<PredictedError> refuse(CudaCall call, std::optional<CaptureId> only) {
        return refuse(rule_of(call), only);
    }
    std::optional<PredictedError> refuse(const CallRule& rule, std::optional<CaptureId> only);
    void ask(const std::optional<CapturedEvent>& event, CudaCall outside, CudaCall captured);
    void wait_outside(StreamId stream, const OutsideWork& outside);
    [[noreturn]] void fail_stale(StreamId stream);
    void join_capture(StreamId stream, const CapturedEvent& event);
    std::optional<StreamId> unjoined_stream(CaptureId capture) const;
    void drop(CaptureId capture);
    CaptureGraph graph_of(CaptureId capture) const;
    bool mark_reached(const Member& member, NodeId node) const;
    void extend_reached(const Member& member) const;

    std::vector<CapturableStream> streams_;
    ThreadId thread_ = kMainThread;
    std::size_t op_ = 0;
    /// Broken ones included.
    std::map<CaptureId, UnderWay> under_way_;
    std::map<StreamId, Member> members_;
    /// Over all captures under way: node `first_node_` + i at place i. Ids are not used again,
    /// because blocks may stay parked, with nodes for markers, after their capture has ended.
    std::vector<Captured> nodes_;
    std::uint64_t first_node_ = 0;
    std::uint64_t edges_ = 0;
};

}  // namespace highwater
