#include "gpu/calibrate/work_on_card.hpp"

#include <vector>

#include "gpu/calibrate/built_graph.hpp"
#include "gpu/calibrate/probe_kernels.hpp"
#include "gpu/card/cuda_call.hpp"

namespace highwater::gpu {
namespace {

constexpr auto kSpinNanoseconds = static_cast<std::uint64_t>(kSpin.count());

void spin_once(Bench& bench, cudaStream_t stream) {
    cuda_call(launch_spin(stream, bench.blocks(), 0, kSpinNanoseconds), "kernel launch");
}

void record_and_wait(Bench& bench, std::size_t from, std::size_t to) {
    cuda_call(cudaEventRecord(bench.event(from), bench.stream(from)), "cudaEventRecord");
    cuda_call(cudaStreamWaitEvent(bench.stream(to), bench.event(from), 0), "cudaStreamWaitEvent");
}

Duration stream_chain(Bench& bench, std::uint64_t n) {
    return bench.on_card([&](cudaStream_t stream) {
        for (std::uint64_t i = 0; i < n; ++i) {
            spin_once(bench, stream);
        }
    });
}

// An even number of hops, so that the last one is in the first stream.
Duration stream_hops(Bench& bench, std::uint64_t n) {
    return bench.on_card([&](cudaStream_t) {
        for (std::uint64_t i = 0; i < n; ++i) {
            const std::size_t to = (i + 1) % 2;
            record_and_wait(bench, 1 - to, to);
            spin_once(bench, bench.stream(to));
        }
    });
}

Duration graph_on_card(Bench& bench, const GraphForm& form, BuiltGraph::Kernels kernels) {
    BuiltGraph graph(form, kernels, bench.blocks());
    graph.instantiate();
    return bench.on_card([&](cudaStream_t stream) { graph.launch(stream); });
}

cudaMemcpyKind kind_of(Timed what) {
    switch (what) {
        case Timed::kSmallToDevice:
        case Timed::kToDevice:
        case Timed::kPageableToDevice:
            return cudaMemcpyHostToDevice;
        case Timed::kSmallToHost:
        case Timed::kToHost:
        case Timed::kPageableToHost:
            return cudaMemcpyDeviceToHost;
        default:
            return cudaMemcpyDeviceToDevice;
    }
}

struct Ends {
    void* from = nullptr;
    void* to = nullptr;
};

Ends ends_of(Bench& bench, cudaMemcpyKind kind, Bytes size) {
    void* const device = bench.device_memory(size);
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return {bench.pinned_memory(size), device};
        case cudaMemcpyDeviceToHost:
            return {device, bench.pinned_memory(size)};
        default:
            return {device, bench.other_device_memory(size)};
    }
}

Duration copies(Bench& bench, Timed what, std::uint64_t count, Bytes size) {
    const cudaMemcpyKind kind = kind_of(what);
    const Ends ends = ends_of(bench, kind, size);
    return bench.on_card([&](cudaStream_t stream) {
        for (std::uint64_t i = 0; i < count; ++i) {
            cuda_call(cudaMemcpyAsync(ends.to, ends.from, size.count, kind, stream),
                      "cudaMemcpyAsync");
        }
    });
}

// They go through the driver's own buffer, and the host waits.
Duration pageable_copy(Bench& bench, Timed what, std::uint64_t bytes) {
    constexpr std::size_t kTimes = 3;
    std::vector<char> host(bytes, 1);
    void* const device = bench.device_memory(Bytes{bytes});
    const cudaMemcpyKind kind = kind_of(what);
    const bool to_device = kind == cudaMemcpyHostToDevice;
    return median_time(kTimes, [&] {
        bench.synchronize();
        return host_time_of([&] {
            cuda_call(cudaMemcpy(to_device ? device : host.data(),
                                 to_device ? host.data() : device,
                                 bytes,
                                 kind),
                      "cudaMemcpy");
        });
    });
}

// A multiprocessor holds this many of the kernel's blocks.
constexpr unsigned kBlocksEach = 4;

Duration addition(Bench& bench, std::uint64_t bytes, unsigned blocks) {
    void* const memory = bench.device_memory(Bytes{bytes});
    return bench.on_card([&](cudaStream_t stream) {
        cuda_call(launch_addition(stream, blocks, memory, bytes), "kernel launch");
    });
}

Duration two_additions(Bench& bench, std::uint64_t bytes) {
    const unsigned blocks = bench.blocks() * kBlocksEach / 2;
    void* const memory = bench.device_memory(Bytes{bytes});
    void* const other = bench.other_device_memory(Bytes{bytes});
    return bench.on_card([&](cudaStream_t stream) {
        record_and_wait(bench, 0, 1);
        cuda_call(launch_addition(stream, blocks, memory, bytes), "kernel launch");
        cuda_call(launch_addition(bench.stream(1), blocks, other, bytes), "kernel launch");
        record_and_wait(bench, 1, 0);
    });
}

Duration at_once(Bench& bench, std::uint64_t n, unsigned blocks, std::size_t shared_bytes) {
    constexpr std::size_t kTimes = 3;
    constexpr auto kNanoseconds = static_cast<std::uint64_t>(kLongSpin.count());
    for (std::uint64_t i = 0; i < n; ++i) {
        cuda_call(launch_nothing(bench.stream(i)), "kernel launch");
    }
    return median_time(kTimes, [&] {
        bench.synchronize();
        return host_time_of([&] {
            for (std::uint64_t i = 0; i < n; ++i) {
                cuda_call(launch_spin(bench.stream(i), blocks, shared_bytes, kNanoseconds),
                          "kernel launch");
            }
            bench.synchronize();
        });
    });
}

Duration clock_step(Bench& bench) {
    bench.synchronize();
    cuda_call(launch_clock_step(bench.stream(), bench.word()), "kernel launch");
    bench.synchronize();
    return Duration{*bench.word()};
}

}  // namespace

Duration time_on_card(Bench& bench, Timed what, std::uint64_t n) {
    constexpr Bytes kSmall{4};
    switch (what) {
        case Timed::kClockStep:
            return clock_step(bench);
        case Timed::kStreamChain:
            return stream_chain(bench, n);
        case Timed::kStreamHops:
            return stream_hops(bench, n);
        case Timed::kGraphChain:
            return graph_on_card(bench, {1, 1, n}, BuiltGraph::Kernels::kSpinning);
        case Timed::kGraphJoins:
            return graph_on_card(bench, {n, 2, 1}, BuiltGraph::Kernels::kSpinning);
        case Timed::kEmptyGraphChain:
            return graph_on_card(bench, {1, 1, n}, BuiltGraph::Kernels::kNothing);
        case Timed::kSmallToDevice:
        case Timed::kSmallToHost:
        case Timed::kSmallWithin:
            return copies(bench, what, n, kSmall);
        case Timed::kToDevice:
        case Timed::kToHost:
        case Timed::kWithin:
            return copies(bench, what, 1, Bytes{n});
        case Timed::kPageableToDevice:
        case Timed::kPageableToHost:
            return pageable_copy(bench, what, n);
        case Timed::kAddition:
            return addition(bench, n, bench.blocks() * kBlocksEach);
        case Timed::kAdditionOnHalf:
            return addition(bench, n, bench.blocks() * kBlocksEach / 2);
        case Timed::kTwoAdditions:
            return two_additions(bench, n);
        case Timed::kHalves:
            return at_once(bench, n, bench.blocks() / 2, bench.whole_multiprocessor());
        case Timed::kSmallAtOnce:
            return at_once(bench, n, 1, 0);
        default:
            throw NoMeasurement("this is not a time of the card");
    }
}

}  // namespace highwater::gpu
