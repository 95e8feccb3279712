#pragma once

#include <string>
#include <vector>

#include "sim/allocator/malloc.hpp"
#include "sim/allocator/settings.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/capture/capture_graph.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

class DeviceCallListener;
class RunObserver;
class TimelineListener;

/// The memory history of a run, as PyTorch would have recorded it.
struct RunHistory {
    std::vector<TraceEvent> events;
    /// When each of them happened; all 0 without a cost profile.
    std::vector<Instant> times;
    /// In force at the end.
    AllocatorSettings settings;
};

struct RunOptions {
    /// None: no time passes, GPU work is done at once unless its stream is held, and the driver's
    /// memory is not known.
    const CostProfile* costs = nullptr;
    /// Takes every event, if one is given.
    TraceSink* trace = nullptr;
    /// Takes the history, if one is given.
    RunHistory* history = nullptr;
    /// Looks on, if one is given.
    RunObserver* observer = nullptr;
    /// Hear what streams and driver calls did, and when; without a cost profile all at time 0.
    TimelineListener* timeline = nullptr;
    DeviceCallListener* device_calls = nullptr;
    /// Whether the ledger notes every change of memory.
    bool memory_over_time = false;
    /// Takes the captured graphs, in the order of `Ledger::graphs`.
    std::vector<CaptureGraph>* graphs = nullptr;
};

/// Runs a Program on the simulated allocator. Stops at the first operation that would fail in
/// PyTorch, unless it is tried, and says so in `Ledger::failure`. Throws `InputError` for a Program
/// that is not well formed (a tensor freed twice, an unknown id).
Ledger run(const Program& program, const RunOptions& options = {});

/// Where and why memory ran out, with the figures of PyTorch's message, in our words. `beside` is
/// what the driver holds beside the allocator, as far as it is known.
std::string message_of(const OutOfMemory& error, Bytes beside = {});
/// What to do about it.
std::string remedy_of(const OutOfMemory& error);

}  // namespace highwater
