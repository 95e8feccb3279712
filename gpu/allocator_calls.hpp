#pragma once

#include <optional>
#include <vector>

#include "gpu/memory_backend.hpp"
#include "gpu/refused_error.hpp"
#include "sim/allocator/allocator.hpp"
#include "sim/allocator/predicted_error.hpp"

/// Backends over the simulator's allocator: `native`, and the one of the tests.
namespace highwater::gpu {

/// What PyTorch would refuse, by the simulator's rules, is refused.
template <typename Call>
auto refusing(Call&& call) {
    try {
        return call();
    } catch (const PredictedError& error) {
        throw RefusedError(error.what(),
                           error.cuda_error() ? std::optional(static_cast<int>(*error.cuda_error()))
                                              : std::nullopt);
    }
}

/// `size` as it was asked for. The token is the block.
Taken taken(const MallocResult& result, Bytes size);

BlockId block_of(const Memory& memory);

/// As `MemoryBackend::restore_pool`.
std::vector<std::optional<Memory>> restore_pool(Allocator& allocator,
                                                const PoolState& saved,
                                                const std::vector<Memory>& live);

}  // namespace highwater::gpu
