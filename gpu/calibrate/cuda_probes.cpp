#include <memory>

#include <cuda_runtime_api.h>

#include "gpu/backend_module.hpp"
#include "gpu/calibrate/bench.hpp"
#include "gpu/calibrate/built_graph.hpp"
#include "gpu/calibrate/host_calls.hpp"
#include "gpu/calibrate/probe_kernels.hpp"
#include "gpu/calibrate/work_on_card.hpp"
#include "gpu/card/cuda_call.hpp"
#include "gpu/card/cuda_card.hpp"

namespace highwater::gpu {
namespace {

Bytes in_use() {
    std::size_t free = 0;
    std::size_t total = 0;
    cuda_call(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return Bytes{total - free};
}

// A driver that frees something of its own meanwhile shows less than before.
Bytes more_than(Bytes before) {
    const Bytes now = in_use();
    return now > before ? now - before : Bytes{};
}

void run_kernel(cudaStream_t stream) {
    cuda_call(launch_nothing(stream), "kernel launch");
    cuda_call(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

cudaGraph_t graph_with_memory(int device, Bytes size) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t allocation = nullptr;
    cudaGraphNode_t release = nullptr;
    cudaMemAllocNodeParams parameters{};
    parameters.poolProps.allocType = cudaMemAllocationTypePinned;
    parameters.poolProps.location.type = cudaMemLocationTypeDevice;
    parameters.poolProps.location.id = device;
    parameters.bytesize = size.count;
    cuda_call(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
    cuda_call(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters),
              "cudaGraphAddMemAllocNode");
    cuda_call(cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, parameters.dptr),
              "cudaGraphAddMemFreeNode");
    return graph;
}

class CudaProbes final : public Probes {
  public:
    explicit CudaProbes(int device) : device_(device) {}

    CardFacts facts() override { return card_facts(device_); }

    std::vector<Bytes> memory_of_streams(std::size_t streams) override {
        std::vector<Bytes> readings{in_use()};
        run_kernel(nullptr);
        readings.push_back(in_use());
        for (std::size_t i = 0; i < streams; ++i) {
            cudaStream_t stream = nullptr;
            cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                      "cudaStreamCreateWithFlags");
            run_kernel(stream);
            readings.push_back(in_use());
        }
        return readings;
    }

    std::vector<Bytes> memory_of_mallocs(Bytes size, std::size_t count) override {
        const Bytes before = in_use();
        std::vector<Bytes> grown;
        for (std::size_t i = 0; i < count; ++i) {
            void* memory = nullptr;
            cuda_call(cudaMalloc(&memory, size.count), "cudaMalloc");
            grown.push_back(more_than(before));
        }
        return grown;
    }

    std::vector<Bytes> memory_of_graphs(const std::vector<GraphForm>& forms) override {
        run_kernel(nullptr);
        const Bytes before = in_use();
        std::vector<Bytes> grown;
        for (const GraphForm& form : forms) {
            BuiltGraph graph(form, BuiltGraph::Kernels::kNothing);
            graph.instantiate();
            graph.keep();
            grown.push_back(more_than(before));
        }
        return grown;
    }

    Bytes memory_of_nodes(Bytes size) override {
        cudaGraphExec_t executable = nullptr;
        cuda_call(cudaGraphInstantiateWithFlags(&executable, graph_with_memory(device_, size), 0),
                  "cudaGraphInstantiateWithFlags");
        cudaStream_t stream = nullptr;
        cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                  "cudaStreamCreateWithFlags");
        cuda_call(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
        cuda_call(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        std::uint64_t reserved = 0;
        cuda_call(
            cudaDeviceGetGraphMemAttribute(device_, cudaGraphMemAttrReservedMemHigh, &reserved),
            "cudaDeviceGetGraphMemAttribute");
        return Bytes{reserved};
    }

    std::uint64_t launch_queue() override { return pending_when_launch_waits(bench()); }

    Duration time(Timed what, std::uint64_t n) override {
        return is_of_the_card(what) ? time_on_card(bench(), what, n)
                                    : time_on_host(bench(), what, n);
    }

  private:
    // Made when it is asked for: it takes memory that readings must not show.
    Bench& bench() {
        if (bench_ == nullptr) {
            bench_ = std::make_unique<Bench>(device_);
        }
        return *bench_;
    }

    int device_;
    std::unique_ptr<Bench> bench_;
};

}  // namespace

extern "C" Probes* highwater_gpu_open_probes(int device) {
    open_device(Rank{.device = device});
    return new CudaProbes(device);
}

}  // namespace highwater::gpu
