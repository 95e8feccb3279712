#include "tests/gpu/fake_probes.hpp"

#include "gpu/refused_error.hpp"
#include "sim/driver/driver_memory.hpp"

namespace highwater::gpu {
namespace {

/// What a measurement of work adds once, however much work there is.
constexpr Duration kOnce{4'321};

Duration moved(std::uint64_t bytes, double per_second) {
    constexpr double kNanoseconds = 1e9;
    return Duration{
        static_cast<Duration::rep>(static_cast<double>(bytes) * kNanoseconds / per_second)};
}

}  // namespace

std::vector<Bytes> FakeProbes::memory_of_streams(std::size_t streams) {
    DriverMemory memory(profile_.memory);
    std::vector<Bytes> readings{memory.total()};
    memory.launch_kernel();
    readings.push_back(memory.total());
    for (std::size_t i = 1; i <= streams; ++i) {
        memory.use_stream(StreamId{static_cast<std::uint32_t>(i)});
        readings.push_back(memory.total());
    }
    return readings;
}

std::vector<Bytes> FakeProbes::memory_of_mallocs(Bytes size, std::size_t count) {
    std::vector<Bytes> grown;
    for (std::size_t i = 1; i <= count; ++i) {
        grown.push_back(in_steps(size * i, profile_.memory.granularity));
    }
    return grown;
}

std::vector<Bytes> FakeProbes::memory_of_graphs(const std::vector<GraphForm>& forms) {
    DriverMemory memory(profile_.memory);
    const Bytes before = memory.total();
    std::vector<Bytes> grown;
    for (const GraphForm& form : forms) {
        memory.instantiate(GraphExecId{grown.size()}, {form.nodes(), form.joins()});
        grown.push_back(memory.total() - before);
    }
    return grown;
}

Bytes FakeProbes::memory_of_nodes(Bytes size) {
    if (!has_memory_nodes) {
        throw NoMeasurement("no memory nodes here");
    }
    return in_steps(size, profile_.memory.memory_nodes.step);
}

Duration FakeProbes::host_time(Timed what, std::uint64_t n) const {
    const HostTimes& host = profile_.times.host;
    switch (what) {
        case Timed::kLaunch:
        case Timed::kLaunchIdle:
            return host.launch;
        case Timed::kLaunchSeen:
            return profile_.times.card.launch_latency;
        case Timed::kQueryEvent:
            return host.query_event;
        case Timed::kSynchronize:
            return host.synchronize;
        case Timed::kMalloc:
            return host.device_malloc(n);
        case Timed::kFree:
            return host.device_free(n);
        case Timed::kMallocBehindWork:
            return malloc_waits ? Duration{static_cast<Duration::rep>(n)} : host.device_malloc(1);
        case Timed::kFreeBehindWork:
            return Duration{static_cast<Duration::rep>(n)};
        case Timed::kMap:
            return host.map(n);
        case Timed::kUnmap:
            return host.unmap(n);
        default:
            return kOnce;
    }
}

Duration FakeProbes::graph_time(Timed what, std::uint64_t n) const {
    constexpr std::uint64_t kNodesOfLayer = 3;
    const HostTimes& host = profile_.times.host;
    switch (what) {
        case Timed::kCaptureNode:
            return host.capture_node;
        case Timed::kInstantiate:
            return host.instantiate(n);
        case Timed::kInstantiateJoins:
            return host.instantiate(n * kNodesOfLayer) + n * host.instantiate_join;
        case Timed::kGraphLaunch:
            return host.replay(n);
        default:
            return host_time(what, n);
    }
}

Duration FakeProbes::chain_time(Timed what, std::uint64_t n) const {
    const CardTimes& costs = profile_.times.card;
    switch (what) {
        case Timed::kStreamChain:
            return kOnce + n * (kSpin + costs.kernel_gap);
        case Timed::kStreamHops:
            return kOnce + n * (kSpin + costs.kernel_gap + costs.stream_wait);
        case Timed::kGraphChain:
            return kOnce + n * (kSpin + costs.node_gap);
        case Timed::kGraphJoins:
            return kOnce + n * (2 * (kSpin + costs.node_gap) + costs.node_join);
        case Timed::kEmptyGraphChain:
            return kOnce + n * (costs.least_kernel + costs.node_gap);
        case Timed::kHalves:
            return (n + 1) / 2 * kLongSpin;
        case Timed::kSmallAtOnce:
            return kLongSpin;
        default:
            return graph_time(what, n);
    }
}

Duration FakeProbes::copy_time(Timed what, std::uint64_t n) const {
    const CardTimes& costs = profile_.times.card;
    switch (what) {
        case Timed::kSmallToDevice:
        case Timed::kSmallToHost:
        case Timed::kSmallWithin:
            return kOnce + n * costs.copy_latency;
        case Timed::kToDevice:
        case Timed::kPageableToDevice:
            return costs.copy_latency + moved(n, costs.host_to_device);
        case Timed::kToHost:
        case Timed::kPageableToHost:
            return costs.copy_latency + moved(n, costs.device_to_host);
        case Timed::kWithin:
            return costs.copy_latency + moved(n, costs.device_to_device);
        case Timed::kAddition:
        case Timed::kAdditionOnHalf:
            return costs.kernel_base + moved(2 * n, costs.memory_bandwidth);
        case Timed::kTwoAdditions:
            return costs.kernel_base + moved(4 * n, costs.memory_bandwidth);
        default:
            return chain_time(what, n);
    }
}

Duration FakeProbes::time(Timed what, std::uint64_t n) {
    if (refused.contains(what)) {
        throw NoMeasurement("not on this card");
    }
    return copy_time(what, n);
}

}  // namespace highwater::gpu
