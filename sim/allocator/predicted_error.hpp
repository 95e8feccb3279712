#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/core/cuda_error.hpp"

namespace highwater {

/// What PyTorch itself would refuse or stop with, other than out of memory: the program under
/// simulation fails here. The allocator's state is then what PyTorch's would be.
class PredictedError : public std::runtime_error {
  public:
    /// `kAbort`: no exception, the process is gone.
    enum class Kind { kRuntimeError, kInternalAssert, kDeadlock, kAbort };
    /// `remedy` says what to do; empty where nothing is to be said.
    PredictedError(Kind kind, const std::string& what, std::string remedy = {})
        : std::runtime_error(what), kind_(kind), remedy_(std::move(remedy)) {}
    /// An error of CUDA's. `what()` is `problem (NAME, NUMBER)`; `remedy` says what to do.
    PredictedError(CudaError error, const std::string& problem, std::string remedy);

    Kind kind() const { return kind_; }
    std::optional<CudaError> cuda_error() const { return cuda_error_; }
    /// Empty where nothing is to be said.
    const std::string& remedy() const { return remedy_; }
    /// The operation of the Program that is to blame, where it is an earlier one than that which
    /// fails.
    std::optional<std::size_t> cause() const { return cause_; }
    void set_cause(std::size_t op) { cause_ = op; }

  private:
    Kind kind_;
    std::optional<CudaError> cuda_error_;
    std::string remedy_;
    std::optional<std::size_t> cause_;
};

}  // namespace highwater
