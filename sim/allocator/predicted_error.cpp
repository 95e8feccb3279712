#include "sim/allocator/predicted_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace highwater {

PredictedError::PredictedError(CudaError error, const std::string& problem, std::string remedy)
    : std::runtime_error(
          fmt::format("{} ({}, {})", problem, name_of(error), static_cast<int>(error))),
      kind_(Kind::kRuntimeError),
      cuda_error_(error),
      remedy_(std::move(remedy)) {}

}  // namespace highwater
