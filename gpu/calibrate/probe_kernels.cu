#include "gpu/calibrate/probe_kernels.hpp"

namespace highwater::gpu {
namespace {

constexpr std::uint64_t kLongestHoldNs = 10'000'000'000ULL;
constexpr unsigned kAdditionThreads = 512;

__device__ std::uint64_t clock_ns() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void nothing() {}

__global__ void spin_for(std::uint64_t nanoseconds) {
    const std::uint64_t begin = clock_ns();
    while (clock_ns() - begin < nanoseconds) {
    }
}

__global__ void hold_until(const volatile std::uint32_t* flag, std::uint32_t value) {
    const std::uint64_t begin = clock_ns();
    while (*flag != value && clock_ns() - begin < kLongestHoldNs) {
    }
}

__global__ void store(volatile std::uint32_t* flag, std::uint32_t value) {
    *flag = value;
    __threadfence_system();
}

__global__ void addition(float4* data, std::size_t count) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (std::size_t at = first; at < count; at += stride) {
        float4 value = data[at];
        value.x += 1;
        value.y += 1;
        value.z += 1;
        value.w += 1;
        data[at] = value;
    }
}

__global__ void clock_step(volatile std::uint32_t* step) {
    constexpr int kReadings = 100'000;
    std::uint64_t least = ~0U;
    std::uint64_t before = clock_ns();
    for (int i = 0; i < kReadings; ++i) {
        const std::uint64_t now = clock_ns();
        if (now != before && now - before < least) {
            least = now - before;
        }
        before = now;
    }
    *step = static_cast<std::uint32_t>(least);
}

}  // namespace

cudaError_t launch_nothing(cudaStream_t stream) {
    nothing<<<1, 1, 0, stream>>>();
    return cudaGetLastError();
}

cudaError_t launch_spin(cudaStream_t stream,
                        unsigned blocks,
                        std::size_t shared_bytes,
                        std::uint64_t nanoseconds) {
    spin_for<<<blocks, kSpinThreads, shared_bytes, stream>>>(nanoseconds);
    return cudaGetLastError();
}

cudaError_t launch_hold(cudaStream_t stream,
                        const volatile std::uint32_t* flag,
                        std::uint32_t value) {
    hold_until<<<1, 1, 0, stream>>>(flag, value);
    return cudaGetLastError();
}

cudaError_t launch_store(cudaStream_t stream, volatile std::uint32_t* flag, std::uint32_t value) {
    store<<<1, 1, 0, stream>>>(flag, value);
    return cudaGetLastError();
}

cudaError_t launch_addition(cudaStream_t stream, unsigned blocks, void* data, std::size_t bytes) {
    addition<<<blocks, kAdditionThreads, 0, stream>>>(static_cast<float4*>(data),
                                                      bytes / sizeof(float4));
    return cudaGetLastError();
}

cudaError_t launch_clock_step(cudaStream_t stream, volatile std::uint32_t* step) {
    clock_step<<<1, 1, 0, stream>>>(step);
    return cudaGetLastError();
}

cudaError_t allow_spin_shared_memory(std::size_t bytes) {
    return cudaFuncSetAttribute(
        spin_for, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

void* nothing_kernel() {
    return reinterpret_cast<void*>(nothing);
}

void* spin_kernel() {
    return reinterpret_cast<void*>(spin_for);
}

}  // namespace highwater::gpu
