#include "gpu/calibrate/built_graph.hpp"

#include <array>

#include "gpu/calibrate/probe_kernels.hpp"
#include "gpu/card/cuda_call.hpp"

namespace highwater::gpu {

BuiltGraph::BuiltGraph(const GraphForm& form, Kernels kernels, unsigned blocks)
    : kernels_(kernels), blocks_(blocks) {
    cuda_call(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    add_layers(form);
}

BuiltGraph::~BuiltGraph() {
    if (graph_ != nullptr) {
        static_cast<void>(cudaGraphDestroy(graph_));
    }
    if (executable_ != nullptr) {
        static_cast<void>(cudaGraphExecDestroy(executable_));
    }
}

void BuiltGraph::add_layers(const GraphForm& form) {
    Nodes before;
    for (std::uint64_t layer = 0; layer < form.layers; ++layer) {
        Nodes ends;
        for (std::uint64_t branch = 0; branch < form.branches; ++branch) {
            Nodes behind = before;
            for (std::uint64_t kernel = 0; kernel < form.kernels; ++kernel) {
                behind = {add(behind)};
            }
            ends.push_back(behind.front());
        }
        before = form.branches > 1 ? Nodes{add(ends)} : ends;
    }
}

cudaGraphNode_t BuiltGraph::add(const Nodes& behind) {
    auto nanoseconds = static_cast<std::uint64_t>(kSpin.count());
    std::array<void*, 1> arguments{&nanoseconds};
    const bool spins = kernels_ == Kernels::kSpinning;
    cudaKernelNodeParams kernel{};
    kernel.func = spins ? spin_kernel() : nothing_kernel();
    kernel.gridDim = dim3(spins ? blocks_ : 1);
    kernel.blockDim = dim3(spins ? kSpinThreads : 1);
    kernel.kernelParams = spins ? arguments.data() : nullptr;
    cudaGraphNode_t made = nullptr;
    cuda_call(cudaGraphAddKernelNode(&made, graph_, behind.data(), behind.size(), &kernel),
              "cudaGraphAddKernelNode");
    return made;
}

void BuiltGraph::instantiate() {
    constexpr unsigned long long kFlags =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
    cuda_call(cudaGraphInstantiateWithFlags(&executable_, graph_, kFlags),
              "cudaGraphInstantiateWithFlags");
}

void BuiltGraph::launch(cudaStream_t stream) {
    cuda_call(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
}

}  // namespace highwater::gpu
