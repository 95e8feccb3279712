#include "gpu/calibrate/terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gpu/calibrate/asides.hpp"
#include "gpu/calibrate/figures.hpp"

namespace highwater::gpu {
namespace {

const auto kSpinTime = static_cast<double>(kSpin.count());

double not_negative(double value) {
    return std::max(0.0, value);
}

double what_is_left(double a, double b) {
    return not_negative(a - b);
}

class Terms {
  public:
    explicit Terms(const Samples& samples) : samples_(samples), times_(samples) {}

    Findings all() {
        host();
        driver_calls();
        graphs_on_the_host();
        card();
        copies();
        context_and_streams();
        graph_memory();
        return findings_;
    }

  private:
    void add(const std::string& path, const std::string& value, const std::string& how = {}) {
        findings_.terms.push_back({path, value, how});
    }

    void add_time(const std::string& path, const Series& series, const std::string& how) {
        if (const std::optional<Spread> spread = spread_of(series)) {
            add(path,
                microseconds(spread->median),
                source(how, samples_.repeats, *spread, microseconds));
        }
    }

    void add_rate(const std::string& path, const Series& series, const std::string& how) {
        if (const std::optional<Spread> spread = spread_of(series)) {
            add(path, rate(spread->median), source(how, samples_.repeats, *spread, rate));
        }
    }

    // Points that could be measured, and how far one of them is off its median at most.
    void add_curve(const std::string& path, Timed what, bool by_size, const std::string& how) {
        constexpr double kPercent = 100;
        std::string points;
        double off = 0;
        for (const std::uint64_t n : times_.tried(what)) {
            if (const std::optional<Spread> spread = spread_of(times_.at(what, n))) {
                points += fmt::format("{}{}: {}",
                                      points.empty() ? "" : ", ",
                                      by_size ? exact_size(Bytes{n}) : std::to_string(n),
                                      microseconds(spread->median));
                off = std::max(
                    {off, 1 - spread->least / spread->median, spread->most / spread->median - 1});
            }
        }
        if (!points.empty()) {
            add(path,
                fmt::format("{{{}}}", points),
                fmt::format("{}; medians of {}, all within {:.0f} % of them",
                            how,
                            samples_.repeats,
                            std::ceil(off * kPercent)));
        }
    }

    void host() {
        add_time(
            "times.host.launch", times_.at(Timed::kLaunch), "cudaLaunchKernel into a busy stream");
        if (const std::optional<Spread> spread = spread_of(samples_.launch_queue)) {
            const auto entries = [](double count) { return fmt::format("{:.0f}", count); };
            add("times.host.launch_queue",
                entries(std::floor(spread->median)),
                source("entries pending when a launch waits", samples_.repeats, *spread, entries));
        }
        add_time("times.host.query_event", times_.at(Timed::kQueryEvent), "cudaEventQuery");
        add_time("times.host.synchronize",
                 times_.at(Timed::kSynchronize),
                 "cudaStreamSynchronize, nothing to wait for");
    }

    void driver_calls() {
        add_curve("times.host.device_malloc", Timed::kMalloc, true, "cudaMalloc");
        add_curve("times.host.device_free", Timed::kFree, true, "cudaFree of idle memory");
        add_curve("times.host.map", Timed::kMap, true, "cuMemCreate, cuMemMap, cuMemSetAccess");
        add_curve("times.host.unmap", Timed::kUnmap, true, "cuMemUnmap, cuMemRelease");
    }

    void graphs_on_the_host() {
        for (const std::uint64_t n : times_.tried(Timed::kCaptureNode)) {
            add_time("times.host.capture_node",
                     times_.at(Timed::kCaptureNode, n),
                     "cudaLaunchKernel into a capture");
        }
        add_curve("times.host.instantiate",
                  Timed::kInstantiate,
                  false,
                  "cudaGraphInstantiate, chains; a framework's own part is not in it");
        for (const std::uint64_t layers : times_.tried(Timed::kInstantiateJoins)) {
            constexpr std::uint64_t kNodesOfLayer = 3;
            const Series extra = combined(times_.at(Timed::kInstantiateJoins, layers),
                                          times_.at(Timed::kInstantiate, layers * kNodesOfLayer),
                                          what_is_left);
            add_time("times.host.instantiate_join",
                     changed(extra,
                             [layers](double time) { return time / static_cast<double>(layers); }),
                     "cudaGraphInstantiate, two branches a join, beyond a chain of as many nodes");
        }
        add_curve("times.host.replay",
                  Timed::kGraphLaunch,
                  false,
                  "cudaGraphLaunch, chains; a framework's own part is not in it");
    }

    void card() {
        const Series step = times_.each(Timed::kStreamChain);
        const Series node = times_.each(Timed::kGraphChain);
        const auto beyond_spin = [](double time) { return not_negative(time - kSpinTime); };
        add_time("times.card.launch_latency",
                 times_.at(Timed::kLaunchSeen),
                 "from the end of a launch until the kernel's first store is seen");
        add_time(
            "times.card.least_kernel",
            combined(
                times_.each(Timed::kEmptyGraphChain), changed(node, beyond_spin), what_is_left),
            "a node of a graph that does nothing, less the gap");
        add_time("times.card.kernel_gap",
                 changed(step, beyond_spin),
                 "a chain of kernels in a stream, beyond their own time");
        add_time("times.card.node_gap",
                 changed(node, beyond_spin),
                 "a chain of kernels in a graph, beyond their own time");
        add_time("times.card.stream_wait",
                 combined(times_.each(Timed::kStreamHops), step, what_is_left),
                 "a hop between two streams, beyond a step of a chain");
        add_time("times.card.node_join",
                 combined(times_.each(Timed::kGraphJoins),
                          node,
                          [](double layer, double one) { return what_is_left(layer, 2 * one); }),
                 "two branches and the node where they meet, beyond two nodes of a chain");
    }

    void copies() {
        const Series to_device = times_.each(Timed::kSmallToDevice);
        const Series to_host = times_.each(Timed::kSmallToHost);
        const auto mean = [](double a, double b) { return (a + b) / 2; };
        add_time("times.card.copy_latency",
                 combined(to_device, to_host, mean),
                 "4 B, pinned, the mean of both ways");
        add_rate("times.card.host_to_device", rates(times_.each(Timed::kToDevice)), "pinned");
        add_rate("times.card.device_to_host", rates(times_.each(Timed::kToHost)), "pinned");
        add_rate("times.card.device_to_device",
                 rates(times_.each(Timed::kWithin)),
                 "bytes copied; each is read and written");
        add_rate("times.card.memory_bandwidth",
                 rates(times_.each(Timed::kAddition), 2),
                 "an addition in place, bytes read and written");
    }

    Bytes granularity() const { return step_of(samples_.mallocs); }

    void add_error(const std::string& path, const ErrorBar& error, const std::string& how) {
        add(path + ".error.absolute", exact_size(error.absolute));
        add(path + ".error.relative", fmt::format("{:.10g}", error.relative));
        add(path + ".source", how);
    }

    void context_and_streams() {
        if (granularity() > Bytes{}) {
            add("memory.granularity",
                exact_size(granularity()),
                "steps in which memory in use grows with cudaMallocs of 1 MiB");
        }
        if (samples_.streams.size() < 2) {
            return;
        }
        const Bytes context = samples_.streams[0];
        const Bytes kernel = samples_.streams[1];
        if (samples_.facts.other_processes.value_or(0) == 0) {
            add("memory.context.bytes", exact_size(context));
            add_error("memory.context", {granularity(), 0}, "memory in use with a context");
        }
        add("memory.modules.bytes", exact_size(beyond(kernel, context)));
        add_error("memory.modules",
                  {granularity(), 0},
                  "one kernel of a small program; a framework's libraries take more");
        std::vector<Bytes> grown;
        for (std::size_t i = 2; i < samples_.streams.size(); ++i) {
            grown.push_back(beyond(samples_.streams[i], kernel));
        }
        if (const std::optional<StreamMemory> streams = fit_streams(grown, granularity())) {
            add("memory.streams.each", exact_size(streams->each));
            add("memory.streams.in_context", exact_size(streams->in_context));
            add_error("memory.streams",
                      streams->error,
                      fmt::format("fitted to {} streams with a kernel on each", grown.size()));
        }
    }

    void graph_memory() {
        if (const std::optional<GraphExecCosts> costs =
                fit_graphs(samples_.graphs, granularity())) {
            std::size_t readings = 0;
            for (const GraphSequence& sequence : samples_.graphs) {
                readings += sequence.grown.size();
            }
            add("memory.graphs.kernel_node", exact_size(costs->kernel_node));
            add("memory.graphs.kernel_launch", exact_size(costs->kernel_launch));
            add("memory.graphs.graph", exact_size(costs->graph));
            add("memory.graphs.join", exact_size(costs->join));
            add("memory.graphs.in_context", exact_size(costs->in_context));
            add_error(
                "memory.graphs",
                costs->error,
                fmt::format(
                    "fitted to {} readings in {} processes", readings, samples_.graphs.size()));
        }
        if (const Bytes step = step_of(samples_.nodes); step > Bytes{}) {
            add("memory.memory_nodes.step", exact_size(step));
            add_error("memory.memory_nodes",
                      {},
                      fmt::format("{} sizes, each in a process of its own", samples_.nodes.size()));
        }
    }

    const Samples& samples_;
    TimeFigures times_;
    Findings findings_;
};

}  // namespace

Findings findings_of(const Samples& samples) {
    Findings findings = Terms(samples).all();
    findings.asides = asides_of(samples);
    return findings;
}

}  // namespace highwater::gpu
