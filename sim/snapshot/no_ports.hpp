#pragma once

#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/core/check.hpp"

/// Ports for the replay of a history: frees wait until the history says that they are complete, and
/// pools are known, so nobody asks for events or captures.
namespace highwater {

class NoEvents : public EventSource {
  public:
    EventId record(StreamId) override {
        check(false, "a replayed history records no events");
        return {};
    }
    bool completed(EventId) override { return true; }
    void synchronize(EventId) override {}
};

class NoCaptures : public CaptureSource {
  public:
    std::optional<CaptureId> capture_of(StreamId) const override { return std::nullopt; }
    std::vector<NodeId> terminals(StreamId) const override { return {}; }
    bool all_reached(const std::vector<NodeId>&, StreamId) const override { return false; }
};

}  // namespace highwater
