#include "gpu/card/kernels.hpp"
#include "gpu/stamps.hpp"

namespace highwater::gpu {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint64_t kLongestHoldNs = 90'000'000'000ULL;

__device__ std::uint64_t now_ns() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ std::uint64_t step_of(const StampArgument& stamp) {
    return stamp.size < kFineStampLimit ? kStampStep : kCoarseStampStep;
}

// The thread's share of a tensor's stamps. It is the same for all kernels of one shape, and for the
// reads and writes of one kernel: in place, a thread has looked at a word before it writes it.
template <typename Do>
__device__ void each_stamp(const StampArgument& stamp, Do&& apply) {
    const std::uint64_t step = step_of(stamp);
    const std::uint64_t first = (stamp.address + step - 1) / step * step;
    const std::uint64_t end = stamp.address + stamp.size;
    const std::uint64_t stride = step * gridDim.x * blockDim.x;
    const std::uint64_t thread = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
    for (std::uint64_t at = first + step * thread; at < end; at += stride) {
        apply(reinterpret_cast<unsigned long long*>(at));
    }
}

// Past the L1 cache, which other multiprocessors' writes do not reach.
__device__ unsigned count_mismatches(const StampArgument* stamps, unsigned count) {
    unsigned found = 0;
    for (unsigned i = 0; i < count; ++i) {
        each_stamp(stamps[i], [&](const unsigned long long* word) {
            found += __ldcg(word) != stamps[i].word ? 1 : 0;
        });
    }
    return found;
}

__device__ void write_stamps(const StampArgument* stamps, unsigned count, std::uint64_t flip) {
    for (unsigned i = 0; i < count; ++i) {
        each_stamp(stamps[i], [&](unsigned long long* word) {
            __stcg(word, static_cast<unsigned long long>(stamps[i].word ^ flip));
        });
    }
}

__global__ void work(const __grid_constant__ KernelArguments arguments) {
    const std::uint64_t begin = now_ns();
    const StampArgument* const writes = arguments.stamps + arguments.reads;
    unsigned mismatches = count_mismatches(arguments.stamps, arguments.reads);
    if (arguments.duration_ns > 0) {
        // What is being written is not yet of use to anybody.
        write_stamps(writes, arguments.writes, ~0ULL);
        while (now_ns() - begin < arguments.duration_ns) {
        }
        mismatches += count_mismatches(arguments.stamps, arguments.held);
    }
    write_stamps(writes, arguments.writes, 0);
    if (mismatches > 0) {
        atomicAdd(arguments.mismatches, mismatches);
    }
}

__global__ void hold(const volatile std::uint32_t* flag) {
    const std::uint64_t begin = now_ns();
    while (*flag == 0 && now_ns() - begin < kLongestHoldNs) {
        __nanosleep(1000);
    }
}

}  // namespace

cudaError_t allow_shared_memory(std::size_t bytes) {
    return cudaFuncSetAttribute(
        work, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

cudaError_t launch_work(cudaStream_t stream, LaunchShape shape, const KernelArguments& arguments) {
    work<<<shape.blocks, kThreads, shape.shared_bytes, stream>>>(arguments);
    return cudaGetLastError();
}

cudaError_t launch_hold(cudaStream_t stream, const volatile std::uint32_t* flag) {
    hold<<<1, 1, 0, stream>>>(flag);
    return cudaGetLastError();
}

}  // namespace highwater::gpu
