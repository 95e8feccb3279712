// Also read by nvcc as C++17: no headers of the simulator here.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace highwater::gpu {

// None has more than a few parameters: those of a graph's kernels take memory.

cudaError_t launch_nothing(cudaStream_t stream);
/// Blocks that spin so long. With enough shared memory one has a multiprocessor to itself.
cudaError_t launch_spin(cudaStream_t stream,
                        unsigned blocks,
                        std::size_t shared_bytes,
                        std::uint64_t nanoseconds);
/// Waits until `*flag`, in memory of the host that is mapped, is `value`, some seconds at most.
cudaError_t launch_hold(cudaStream_t stream,
                        const volatile std::uint32_t* flag,
                        std::uint32_t value);
cudaError_t launch_store(cudaStream_t stream, volatile std::uint32_t* flag, std::uint32_t value);
/// Adds to every number of `bytes` at `data`, which are whole 16s.
cudaError_t launch_addition(cudaStream_t stream, unsigned blocks, void* data, std::size_t bytes);
/// The least by which the clock that spins go by was seen to move, in nanoseconds.
cudaError_t launch_clock_step(cudaStream_t stream, volatile std::uint32_t* step);

/// Lets a spin have so much shared memory. Once a device.
cudaError_t allow_spin_shared_memory(std::size_t bytes);

/// For nodes of graphs: their arguments are none, and the nanoseconds.
void* nothing_kernel();
void* spin_kernel();
constexpr unsigned kSpinThreads = 64;

}  // namespace highwater::gpu
