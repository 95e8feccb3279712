#pragma once

#include <vector>

#include <cuda_runtime_api.h>

#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

/// A graph of kernels, node by node, and made executable as PyTorch does it. Calls throw
/// `RefusedError`.
class BuiltGraph {
  public:
    enum class Kernels { kNothing, kSpinning };

    /// Spins have so many blocks. `blocks` is of no matter for those that do nothing.
    BuiltGraph(const GraphForm& form, Kernels kernels, unsigned blocks = 1);
    ~BuiltGraph();
    BuiltGraph(const BuiltGraph&) = delete;
    BuiltGraph& operator=(const BuiltGraph&) = delete;

    void instantiate();
    void launch(cudaStream_t stream);
    /// The executable graph stays with the driver until the process ends.
    void keep() { executable_ = nullptr; }

  private:
    using Nodes = std::vector<cudaGraphNode_t>;
    cudaGraphNode_t add(const Nodes& behind);
    void add_layers(const GraphForm& form);

    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
    Kernels kernels_;
    unsigned blocks_;
};

}  // namespace highwater::gpu
