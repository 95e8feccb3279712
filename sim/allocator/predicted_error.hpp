#pragma once

#include <stdexcept>
#include <string>

namespace highwater {

/// What PyTorch itself would refuse or stop with, other than out of memory: the program under
/// simulation fails here. The allocator's state is then what PyTorch's would be.
class PredictedError : public std::runtime_error {
  public:
    enum class Kind { kRuntimeError, kInternalAssert, kDeadlock };
    PredictedError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

}  // namespace highwater
