#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace highwater::gpu {

/// The framework or the driver refused an operation of the Program: measured, not a mistake of
/// ours. `what()` is one line.
class RefusedError : public std::runtime_error {
  public:
    explicit RefusedError(const std::string& what, std::optional<int> cuda_error = std::nullopt)
        : std::runtime_error(what), cuda_error_(cuda_error) {}

    /// The `cudaError_t`, where it is one.
    std::optional<int> cuda_error() const { return cuda_error_; }

  private:
    std::optional<int> cuda_error_;
};

/// A measurement cannot be made here: no card, an old driver, a library that is missing.
class NoMeasurement : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace highwater::gpu
