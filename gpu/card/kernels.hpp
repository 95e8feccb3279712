// Also read by nvcc as C++17: no headers of the simulator here.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace highwater::gpu {

/// Bytes from `address` on, in which every reader finds and every writer leaves `word`.
struct StampArgument {
    std::uint64_t address;
    std::uint64_t size;
    std::uint64_t word;
};

/// As many as the 4 KiB of a kernel's parameters hold.
constexpr std::size_t kMostStamps = 160;

struct KernelArguments {
    std::uint64_t duration_ns;
    /// Of this kernel's operation.
    std::uint32_t* mismatches;
    /// `stamps` begins with so many reads; the first `held` of them are looked at again at the end.
    std::uint32_t reads;
    std::uint32_t held;
    std::uint32_t writes;
    StampArgument stamps[kMostStamps];
};

/// One block to a multiprocessor: enough shared memory that two do not fit.
struct LaunchShape {
    unsigned blocks;
    std::size_t shared_bytes;
};

/// Once a device, before `launch_work`: lets kernels have so much shared memory.
cudaError_t allow_shared_memory(std::size_t bytes);
cudaError_t launch_work(cudaStream_t stream, LaunchShape shape, const KernelArguments& arguments);
/// Waits until `*flag`, in memory of the host that is mapped, is not 0, a minute and a half at
/// most.
cudaError_t launch_hold(cudaStream_t stream, const volatile std::uint32_t* flag);

}  // namespace highwater::gpu
