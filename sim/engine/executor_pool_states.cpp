// Executor's operations that note and set back what a pool holds, as cudagraph trees do.
#include <fmt/format.h>

#include "sim/allocator/pools.hpp"
#include "sim/engine/executor.hpp"

namespace highwater {

std::map<TensorId, Address> Executor::tensors_in(PoolId pool) const {
    const Allocator& native = allocator_.native();
    std::map<TensorId, Address> found;
    for (std::uint32_t i = 0; i < tensors_.size(); ++i) {
        if (!tensors_[i].live || !tensors_[i].block || uncached_) {
            continue;
        }
        const Block& block = native.block(*tensors_[i].block);
        if (allocator::pool_of(native.state(), block).owner == pool) {
            found.emplace(TensorId{i}, block.address);
        }
    }
    return found;
}

Allocator& Executor::native_for_pool_states() {
    if (allocator_.async() != nullptr) {
        throw PredictedError(PredictedError::Kind::kRuntimeError,
                             "with the backend cudaMallocAsync the state of a pool cannot be noted "
                             "or set back",
                             "use the native backend");
    }
    return allocator_.native();
}

OpResult Executor::operator()(const op::SavePool& op) {
    saved_pools_.insert_or_assign(op.name, native_for_pool_states().save_pool(known_pool(op.pool)));
    return {};
}

// A tree keeps book of its outputs: one that is alive must have been so when the pool was noted,
// and the memory of those that died since is given back (around-allocator specification 5).
OpResult Executor::operator()(const op::RestorePool& op) {
    const auto saved = saved_pools_.find(op.name);
    if (saved == saved_pools_.end()) {
        refuse(fmt::format("no pool's state was noted as `{}`", op.name), "note it before");
    }
    const std::map<TensorId, Address> tensors = tensors_in(saved->second.pool);
    std::map<Address, BlockId> allocated;
    try {
        allocated = native_for_pool_states().restore_pool(saved->second);
    } catch (const PredictedError& error) {
        // Some of the pool is set back and some is not: nothing can be said of what comes behind.
        throw PredictedError(PredictedError::Kind::kAbort, error.what(), error.remedy());
    }
    std::optional<TensorId> lost;
    for (const auto& [tensor, address] : tensors) {
        const auto block = allocated.extract(address);
        if (block.empty()) {
            tensors_[index_of(tensor)] = {};
            lost = lost.value_or(tensor);
        } else {
            tensors_[index_of(tensor)].block = block.mapped();
        }
    }
    for (const auto& [address, block] : allocated) {
        allocator_.free(block);
    }
    if (lost) {
        throw PredictedError(
            PredictedError::Kind::kAbort,
            fmt::format("a pool is set back while tensor `{}`, which was made since, is alive: its "
                        "memory is no longer its own",
                        program_.tensors[index_of(*lost)]),
            "free it before");
    }
    return {};
}

}  // namespace highwater
