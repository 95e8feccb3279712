#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/core/time.hpp"
#include "sim/driver/cost_curve.hpp"

namespace highwater {

/// What a host thread spends in a call before it goes on.
struct HostTimes {
    /// One operation of the framework that launches a kernel: its Python and C++, and the launch.
    Duration operation{};
    /// Of that, cudaLaunchKernel. A captured kernel costs `capture_node` in its place.
    Duration launch{};
    /// How many launches a stream takes before the next one makes the host wait; 0: any number.
    std::uint64_t launch_queue = 0;
    /// One call of the caching allocator that needs nothing of the device.
    Duration malloc{};
    Duration free{};
    Duration record_event{};
    Duration wait_event{};
    Duration query_event{};
    /// From the moment that the awaited work is done until the host goes on; also what waiting for
    /// work that is done costs.
    Duration synchronize{};
    /// cudaMalloc and cudaFree by bytes; mapping and unmapping a page of an expandable segment.
    CostCurve device_malloc;
    CostCurve device_free;
    CostCurve map;
    CostCurve unmap;
    /// capture_begin and capture_end together.
    Duration capture{};
    Duration capture_node{};
    /// By nodes, without forks; then for each join of branches.
    CostCurve instantiate;
    Duration instantiate_join{};
    /// CUDAGraph.replay, by nodes.
    CostCurve replay;
    friend bool operator==(const HostTimes&, const HostTimes&) = default;
};

/// What the card spends beside the work itself.
struct CardTimes {
    /// From a launch until the kernel may begin on an idle stream.
    Duration launch_latency{};
    /// The shortest time a kernel runs.
    Duration least_kernel{};
    /// What a kernel takes beside its bytes and operations, and one of which nothing is known.
    Duration kernel_base{};
    /// Between two kernels of a stream, and between a node of a graph and one that depends on it.
    Duration kernel_gap{};
    Duration node_gap{};
    /// More, where a stream waits for another, and where branches of a graph meet.
    Duration stream_wait{};
    Duration node_join{};
    /// A copy's fixed part, and bytes a second by kind.
    Duration copy_latency{};
    double host_to_device = 0;
    double device_to_host = 0;
    double device_to_device = 0;
    /// Of memory-bound kernels, bytes a second.
    double memory_bandwidth = 0;
    /// Of compute-bound kernels, operations a second by number type (`bf16`).
    std::map<std::string, double, std::less<>> flops;
    friend bool operator==(const CardTimes&, const CardTimes&) = default;
};

/// The times of a cost profile. All zero: no time passes, and GPU work is done at once.
struct TimeProfile {
    HostTimes host;
    CardTimes card;
    friend bool operator==(const TimeProfile&, const TimeProfile&) = default;
};

}  // namespace highwater
