#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace highwater::gpu {

/// How a call in a process of its own ended.
struct Ended {
    enum class How { kDone, kNoMeasurement, kBadInput, kTimedOut, kCrashed, kGivenUp };
    How how{};
    /// What the call gave, where it is done.
    std::vector<std::string> parts;
    /// Why it is not.
    std::string reason;
};

using IsolatedCall = std::function<std::vector<std::string>()>;

/// Calls in a process of its own: with its own CUDA context and its own environment, and without
/// harm to this one. It is ended after `limit`. `NoMeasurement`, `RefusedError` and `InputError`
/// come back as how it ended. This process must have no threads and no context.
Ended run_isolated(const IsolatedCall& call, std::chrono::milliseconds limit);

/// How calls that were under way at the same time ended.
struct EndedTogether {
    /// In the order of the calls.
    std::vector<Ended> calls;
    /// The first to fail, for which the others were given up.
    std::optional<std::size_t> first_failed;
};

/// The same for calls that wait for each other. Once one of them failed, as `is_failed` says of
/// what is done, the others have two seconds left.
EndedTogether run_together(const std::vector<IsolatedCall>& calls,
                           std::chrono::milliseconds limit,
                           const std::function<bool(const Ended&)>& is_failed);

}  // namespace highwater::gpu
