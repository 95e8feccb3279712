#include <algorithm>

#include <ATen/Context.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>

#include "gpu/backend_module.hpp"
#include "gpu/torch/torch_call.hpp"
#include "gpu/torch/torch_memory.hpp"

namespace highwater::gpu {
namespace {

// How many streams of one priority PyTorch has before it hands out the first one again. A Program
// lists each stream once, so its 33rd has another priority.
constexpr std::size_t kStreamsOfPool = 32;

std::vector<c10::cuda::CUDAStream> torch_streams(const Program& program, c10::DeviceIndex device) {
    std::vector<c10::cuda::CUDAStream> streams{c10::cuda::getDefaultCUDAStream(device)};
    std::size_t from_pool = 0;
    for (std::size_t i = 1; i < program.streams.size(); ++i) {
        if (program.streams[i].blocking) {
            cudaStream_t made = nullptr;
            C10_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamDefault));
            streams.push_back(c10::cuda::getStreamFromExternal(made, device));
        } else {
            const auto priority = static_cast<int>(from_pool++ / kStreamsOfPool);
            streams.push_back(c10::cuda::getStreamFromPool(-priority, device));
        }
    }
    return streams;
}

class TorchBackend final : public Backend {
  public:
    TorchBackend(const Program& program,
                 const Rank& rank,
                 const std::vector<c10::cuda::CUDAStream>& streams)
        : card_(rank, handles(streams), card_needs(program)),
          memory_(program, rank.device, streams) {}
    Card& card() override { return card_; }
    MemoryBackend& memory() override { return memory_; }

  private:
    static std::vector<cudaStream_t> handles(const std::vector<c10::cuda::CUDAStream>& streams) {
        std::vector<cudaStream_t> handles;
        for (const c10::cuda::CUDAStream& stream : streams) {
            handles.push_back(stream.stream());
        }
        return handles;
    }

    CudaCard card_;
    TorchMemory memory_;
};

}  // namespace

extern "C" Backend* highwater_gpu_open(const Program& program, const Rank& rank) {
    open_device(rank);
    return torch_call([&] {
        const auto device = static_cast<c10::DeviceIndex>(rank.device);
        at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
        c10::cuda::set_device(device);
        return new TorchBackend(program, rank, torch_streams(program, device));
    });
}

}  // namespace highwater::gpu
