#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/driver/cost_profile.hpp"
#include "sim/engine/program.hpp"

/// A million operations in simulated time: a host that runs ahead of two streams that wait for each
/// other, with temporaries that both use; and the same in graphs that are captured and replayed.
namespace highwater::timed {

using namespace literals;
using namespace std::chrono_literals;

inline constexpr std::size_t kOperations = 1'000'000;
inline constexpr StreamId kMain{1};
inline constexpr StreamId kSide{2};
inline constexpr TensorId kTemporary{0};
inline constexpr EventName kEvent{0};
inline constexpr GraphId kGraph{0};

inline CostProfile host_ahead_profile() {
    CostProfile costs;
    costs.times.host.operation = 5us;
    costs.times.host.malloc = 300ns;
    costs.times.host.free = 300ns;
    costs.times.host.record_event = 200ns;
    costs.times.host.wait_event = 200ns;
    costs.times.host.launch_queue = 1024;
    costs.times.card.launch_latency = 3us;
    costs.times.card.kernel_gap = 1500ns;
    costs.times.card.node_gap = 800ns;
    return costs;
}

// A layer: eleven operations.
inline void add_layer(std::vector<Op>& ops) {
    const std::vector<Op> layer{op::RecordEvent{kEvent, kMain},
                                op::WaitEvent{kSide, kEvent},
                                op::Alloc{kTemporary, 8_MiB, kSide},
                                op::Kernel{kSide, {}, {kTemporary}, 4us, 0.25F},
                                op::Kernel{kMain, {}, {}, 6us, 0.5F},
                                op::Kernel{kSide, {kTemporary}, {}, 4us, 0.25F},
                                op::Free{kTemporary},
                                op::RecordEvent{kEvent, kSide},
                                op::WaitEvent{kMain, kEvent},
                                op::Kernel{kMain, {}, {}, 2us, 1},
                                op::Kernel{kMain, {}, {}, 2us, 1}};
    ops.insert(ops.end(), layer.begin(), layer.end());
}

inline Program empty_program() {
    Program p;
    constexpr Bytes kTotalMemory = 80_GiB;
    p.machine = {kTotalMemory, 1.0, ""};
    p.streams = {
        {"default", StreamHandle{0}}, {"main", StreamHandle{1}}, {"side", StreamHandle{2}}};
    p.tensors = {"temporary"};
    p.events = {"event"};
    p.graphs = {"graph"};
    return p;
}

inline Program eager_program() {
    Program p = empty_program();
    while (p.ops.size() < kOperations) {
        add_layer(p.ops);
    }
    return p;
}

// Ten graphs of 100,000 operations each, each replayed once.
inline Program captured_program() {
    Program p = empty_program();
    while (p.ops.size() < kOperations) {
        p.ops.emplace_back(op::BeginCapture{kGraph, kMain, std::nullopt});
        for (std::size_t until = p.ops.size() + kOperations / 10; p.ops.size() < until;) {
            add_layer(p.ops);
        }
        p.ops.emplace_back(op::EndCapture{kGraph});
        p.ops.emplace_back(op::Replay{kGraph, kMain});
        p.ops.emplace_back(op::DestroyGraph{kGraph});
    }
    return p;
}

}  // namespace highwater::timed
