#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/allocator/async/stream_order.hpp"
#include "sim/capture/captures.hpp"

namespace highwater {

/// What the driver adds to the captures under way.
class DriverNodes : public CaptureRecorder {
  public:
    /// Both outlive it. `op` is the operation under way.
    DriverNodes(Captures& captures, const std::size_t& op) : captures_(captures), op_(op) {}

    NodeId add_allocation(StreamId stream) override { return add(stream, NodeKind::kMemAlloc); }
    NodeId add_free(StreamId stream) override { return add(stream, NodeKind::kMemFree); }
    void join(StreamId waiting, StreamId waited_for) override;
    void require_unsafe_calls() override;

    std::optional<CaptureId> capture_of(StreamId stream) const override {
        return captures_.capture_of(stream);
    }
    std::vector<NodeId> terminals(StreamId stream) const override {
        return captures_.terminals(stream);
    }
    bool all_reached(const std::vector<NodeId>& nodes, StreamId stream) const override {
        return captures_.all_reached(nodes, stream);
    }

  private:
    NodeId add(StreamId stream, NodeKind kind);

    Captures& captures_;
    const std::size_t& op_;
};

}  // namespace highwater
