#include "gpu/calibrate/host_calls.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gpu/calibrate/built_graph.hpp"
#include "gpu/calibrate/probe_kernels.hpp"
#include "gpu/card/cuda_call.hpp"
#include "gpu/card/driver_call.hpp"

namespace highwater::gpu {
namespace {

/// Calls in a row, of which one takes too little to be timed, and how often; fewer than a stream
/// takes without waiting.
constexpr int kInARow = 400;
constexpr std::size_t kRows = 9;
/// Longer than those take.
constexpr Duration kBusy = std::chrono::milliseconds(10);
constexpr std::size_t kSingles = 101;
constexpr std::size_t kFew = 7;

using Call = std::function<void()>;

// One of many calls while the first stream is busy.
Duration beside_work(Bench& bench, const Call& call) {
    return median_time(kRows, [&] {
        bench.synchronize();
        bench.occupy(0, kBusy);
        return host_time_of([&] {
                   for (int i = 0; i < kInARow; ++i) {
                       call();
                   }
               }) /
               kInARow;
    });
}

Duration idle(Bench& bench, std::size_t count, const Call& call, const Call& undo) {
    return median_time(count, [&] {
        bench.synchronize();
        const Duration time = host_time_of(call);
        undo();
        return time;
    });
}

void launch_once(Bench& bench) {
    cuda_call(launch_nothing(bench.stream()), "kernel launch");
}

Duration launch_seen(Bench& bench) {
    volatile std::uint32_t* const word = bench.word();
    std::uint32_t number = *word;
    return median_time(kSingles, [&] {
        bench.synchronize();
        ++number;
        cuda_call(launch_store(bench.stream(), word, number), "kernel launch");
        return host_time_of([&] {
            while (*word != number) {
            }
        });
    });
}

Duration events(Bench& bench, Timed what) {
    const cudaEvent_t event = bench.event();
    cuda_call(cudaEventRecord(event, bench.stream(1)), "cudaEventRecord");
    bench.synchronize();
    switch (what) {
        case Timed::kRecordEvent:
            return beside_work(bench, [&] {
                cuda_call(cudaEventRecord(event, bench.stream()), "cudaEventRecord");
            });
        case Timed::kWaitEvent:
            return beside_work(bench, [&] {
                cuda_call(cudaStreamWaitEvent(bench.stream(), event, 0), "cudaStreamWaitEvent");
            });
        default:
            return beside_work(bench, [&] { cuda_call(cudaEventQuery(event), "cudaEventQuery"); });
    }
}

void* allocated(std::uint64_t bytes) {
    void* made = nullptr;
    cuda_call(cudaMalloc(&made, bytes), "cudaMalloc");
    return made;
}

void freed(void* memory) {
    cuda_call(cudaFree(memory), "cudaFree");
}

// The first of a size may have to find addresses, and is not counted.
Duration allocations(Bench& bench, Timed what, std::uint64_t bytes) {
    void* memory = nullptr;
    freed(allocated(bytes));
    if (what == Timed::kMalloc) {
        return idle(
            bench, kFew, [&] { memory = allocated(bytes); }, [&] { freed(memory); });
    }
    return median_time(kFew, [&] {
        memory = allocated(bytes);
        bench.synchronize();
        return host_time_of([&] { freed(memory); });
    });
}

Duration allocations_behind(Bench& bench, Timed what, Duration work) {
    constexpr std::uint64_t kBytes = 20ULL << 20U;
    void* memory = allocated(kBytes);
    const bool allocates = what == Timed::kMallocBehindWork;
    return median_time(kFew, [&] {
        bench.synchronize();
        bench.occupy(1, work);
        void* const before = memory;
        const Duration time = host_time_of([&] {
            if (allocates) {
                memory = allocated(kBytes);
            } else {
                freed(std::exchange(memory, nullptr));
            }
        });
        bench.synchronize();
        if (allocates) {
            freed(before);
        } else {
            memory = allocated(kBytes);
        }
        return time;
    });
}

/// Addresses, and a page that is mapped there and taken away again.
class Page {
  public:
    Page(int device, std::uint64_t bytes) : device_(device), bytes_(bytes) { reserve(); }
    ~Page() { static_cast<void>(release()); }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    void map() {
        const CUmemAllocationProp properties = page_properties(device_);
        driver_call(create_(&page_, bytes_, &properties, 0), "cuMemCreate");
        driver_call(map_(address_, bytes_, 0, page_, 0), "cuMemMap");
        CUmemAccessDesc access{};
        access.location = properties.location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        driver_call(allow_(address_, bytes_, &access, 1), "cuMemSetAccess");
    }
    void unmap() {
        driver_call(unmap_(address_, bytes_), "cuMemUnmap");
        driver_call(give_back_(page_), "cuMemRelease");
    }
    void reserve() { driver_call(reserve_(&address_, bytes_, 0, 0, 0), "cuMemAddressReserve"); }
    CUresult release() { return release_(address_, bytes_); }

  private:
    decltype(&cuMemCreate) create_ = driver_function<decltype(&cuMemCreate)>("cuMemCreate");
    decltype(&cuMemMap) map_ = driver_function<decltype(&cuMemMap)>("cuMemMap");
    decltype(&cuMemSetAccess) allow_ = driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess");
    decltype(&cuMemUnmap) unmap_ = driver_function<decltype(&cuMemUnmap)>("cuMemUnmap");
    decltype(&cuMemRelease) give_back_ = driver_function<decltype(&cuMemRelease)>("cuMemRelease");
    decltype(&cuMemAddressReserve) reserve_ =
        driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
    decltype(&cuMemAddressFree) release_ =
        driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree");
    int device_;
    std::uint64_t bytes_;
    CUdeviceptr address_ = 0;
    CUmemGenericAllocationHandle page_ = 0;
};

Duration pages(Bench& bench, Timed what, std::uint64_t bytes) {
    Page page(bench.device(), bytes);
    return median_time(kFew, [&] {
        bench.synchronize();
        if (what == Timed::kReserve) {
            driver_call(page.release(), "cuMemAddressFree");
            return host_time_of([&] { page.reserve(); });
        }
        const Duration mapping = host_time_of([&] { page.map(); });
        bench.synchronize();
        const Duration unmapping = host_time_of([&] { page.unmap(); });
        return what == Timed::kMap ? mapping : unmapping;
    });
}

void begin_capture(Bench& bench) {
    cuda_call(cudaStreamBeginCapture(bench.stream(), cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCapture");
}

void end_capture(Bench& bench, cudaGraph_t& graph) {
    cuda_call(cudaStreamEndCapture(bench.stream(), &graph), "cudaStreamEndCapture");
}

Duration captures(Bench& bench, Timed what, std::uint64_t n) {
    return median_time(kRows, [&] {
        bench.synchronize();
        cudaGraph_t graph = nullptr;
        const Duration begin = host_time_of([&] { begin_capture(bench); });
        const Duration launches = host_time_of([&] {
            for (std::uint64_t i = 0; i < n; ++i) {
                launch_once(bench);
            }
        });
        const Duration end = host_time_of([&] { end_capture(bench, graph); });
        cuda_call(cudaGraphDestroy(graph), "cudaGraphDestroy");
        return what == Timed::kCapture ? begin + end : launches / static_cast<Duration::rep>(n);
    });
}

GraphForm graph_form(Timed what, std::uint64_t n) {
    return what == Timed::kInstantiateJoins ? GraphForm{n, 2, 1} : GraphForm{1, 1, n};
}

// Large graphs take long, and are less in doubt.
std::size_t times_of_graph(std::uint64_t n) {
    constexpr std::uint64_t kLarge = 16'000;
    return n > kLarge ? 1 : kFew / 2;
}

Duration instantiations(Timed what, std::uint64_t n) {
    return median_time(times_of_graph(n), [&] {
        BuiltGraph graph(graph_form(what, n), BuiltGraph::Kernels::kNothing);
        return host_time_of([&] { graph.instantiate(); });
    });
}

// The first launch also brings the graph to the card.
Duration graph_launches(Bench& bench, std::uint64_t n) {
    BuiltGraph graph(graph_form(Timed::kGraphLaunch, n), BuiltGraph::Kernels::kNothing);
    graph.instantiate();
    graph.launch(bench.stream());
    return idle(
        bench, kFew * times_of_graph(n), [&] { graph.launch(bench.stream()); }, [] {});
}

}  // namespace

Duration time_on_host(Bench& bench, Timed what, std::uint64_t n) {
    switch (what) {
        case Timed::kLaunch:
            return beside_work(bench, [&] { launch_once(bench); });
        case Timed::kLaunchIdle:
            return idle(
                bench, kSingles, [&] { launch_once(bench); }, [] {});
        case Timed::kLaunchSeen:
            return launch_seen(bench);
        case Timed::kRecordEvent:
        case Timed::kWaitEvent:
        case Timed::kQueryEvent:
            return events(bench, what);
        case Timed::kSynchronize: {
            const cudaStream_t stream = bench.stream(1);
            return beside_work(
                bench, [&] { cuda_call(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); });
        }
        case Timed::kMalloc:
        case Timed::kFree:
            return allocations(bench, what, n);
        case Timed::kMallocBehindWork:
        case Timed::kFreeBehindWork:
            return allocations_behind(bench, what, Duration{static_cast<Duration::rep>(n)});
        case Timed::kMap:
        case Timed::kUnmap:
        case Timed::kReserve:
            return pages(bench, what, n);
        case Timed::kCapture:
        case Timed::kCaptureNode:
            return captures(bench, what, n);
        case Timed::kInstantiate:
        case Timed::kInstantiateJoins:
            return instantiations(what, n);
        case Timed::kGraphLaunch:
            return graph_launches(bench, n);
        default:
            throw NoMeasurement("this is not a time of the host");
    }
}

std::uint64_t pending_when_launch_waits(Bench& bench) {
    constexpr Duration kWork = std::chrono::milliseconds(200);
    constexpr Duration kWaits = std::chrono::milliseconds(20);
    constexpr std::uint64_t kMost = 20'000;
    bench.synchronize();
    bench.occupy(0, kWork);
    for (std::uint64_t pending = 1; pending < kMost; ++pending) {
        if (host_time_of([&] { launch_once(bench); }) > kWaits) {
            bench.synchronize();
            return pending;
        }
    }
    bench.synchronize();
    throw NoMeasurement(fmt::format("no launch waited behind {} others", kMost));
}

}  // namespace highwater::gpu
