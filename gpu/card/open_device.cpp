#include <fmt/format.h>

#include "gpu/card/cuda_call.hpp"
#include "gpu/card/cuda_card.hpp"

namespace highwater::gpu {

void open_device(const Rank& rank) {
    const int device = rank.device;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        int driver = 0;
        static_cast<void>(cudaDriverGetVersion(&driver));
        if (driver > 0) {
            throw NoMeasurement(
                fmt::format("the GPU's driver does CUDA {}.{} and this program needs {}.{}; "
                            "install a newer driver",
                            driver / 1000,
                            driver % 1000 / 10,
                            CUDART_VERSION / 1000,
                            CUDART_VERSION % 1000 / 10));
        }
    }
    if (status != cudaSuccess || count == 0) {
        throw NoMeasurement(fmt::format("there is no NVIDIA GPU here, or no driver for it ({})",
                                        cudaGetErrorString(status)));
    }
    if (rank.count == 1 && (device < 0 || device >= count)) {
        throw NoMeasurement(
            fmt::format("there is no GPU {}: this machine has {}, counted from 0", device, count));
    }
    const int first = device - static_cast<int>(rank.number);
    if (first + static_cast<int>(rank.count) > count) {
        throw NoMeasurement(
            fmt::format("the scenario has {} ranks, one on each GPU from {} on, and this machine "
                        "has {} of them",
                        rank.count,
                        first,
                        count));
    }
    cuda_call(cudaSetDevice(device), "cudaSetDevice");
    cuda_call(cudaFree(nullptr), "cudaFree");  // Makes the context.
}

std::vector<cudaStream_t> make_streams(const std::vector<StreamEntry>& streams) {
    std::vector<cudaStream_t> made{nullptr};
    for (std::size_t i = 1; i < streams.size(); ++i) {
        const unsigned flags = streams[i].blocking ? cudaStreamDefault : cudaStreamNonBlocking;
        cuda_call(cudaStreamCreateWithFlags(&made.emplace_back(), flags),
                  "cudaStreamCreateWithFlags");
    }
    return made;
}

}  // namespace highwater::gpu
