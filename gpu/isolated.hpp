#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace highwater::gpu {

/// How a call in a process of its own ended.
struct Ended {
    enum class How { kDone, kNoMeasurement, kBadInput, kTimedOut, kCrashed };
    How how{};
    /// What the call gave, where it is done.
    std::vector<std::string> parts;
    /// Why it is not.
    std::string reason;
};

/// Calls in a process of its own: with its own CUDA context and its own environment, and without
/// harm to this one. It is ended after `limit`. `NoMeasurement`, `RefusedError` and `InputError`
/// come back as how it ended. This process must have no threads and no context.
Ended run_isolated(const std::function<std::vector<std::string>()>& call,
                   std::chrono::milliseconds limit);

}  // namespace highwater::gpu
