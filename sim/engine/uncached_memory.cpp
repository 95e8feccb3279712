#include "sim/engine/uncached_memory.hpp"

#include <fmt/format.h>

#include "sim/allocator/predicted_error.hpp"
#include "sim/core/check.hpp"

namespace highwater {

MallocResult UncachedMemory::malloc(Bytes requested) {
    if (requested == Bytes{0}) {
        return NullPointer{};
    }
    captures_.call(CudaCall::kUncachedMalloc);
    const auto address = memory_.allocate(requested);
    if (!address) {
        return OutOfMemory{.requested = requested,
                           .rounded = requested,
                           .segment = requested,
                           .device_free = memory_.free_bytes(),
                           .device_total = total_,
                           .limit = std::nullopt,
                           .allocated = {},
                           .reserved = {}};
    }
    const BlockId block{next_++};
    allocations_[block] = {*address, requested};
    return Allocated{block, *address};
}

void UncachedMemory::free(BlockId block) {
    if (const auto error = captures_.error_of(CudaCall::kFree)) {
        throw PredictedError(
            PredictedError::Kind::kAbort,
            fmt::format("the process aborts, because a tensor goes and {}", error->what()),
            "keep every tensor until the capture has ended, or unset "
            "PYTORCH_NO_CUDA_MEMORY_CACHING");
    }
    const auto found = allocations_.find(block);
    check(found != allocations_.end(), "what is freed was allocated");
    memory_.free(found->second.address, found->second.size);
    allocations_.erase(found);
}

}  // namespace highwater
