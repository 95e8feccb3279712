#include "gpu/allocator_calls.hpp"

#include <map>

#include "sim/allocator/pools.hpp"
#include "sim/engine/run.hpp"

namespace highwater::gpu {

Taken taken(const MallocResult& result, Bytes size) {
    if (const auto* none = std::get_if<OutOfMemory>(&result)) {
        return NoMemory{message_of(*none)};
    }
    const auto& made = std::get<Allocated>(result);
    return Memory{made.address, size, index_of(made.block)};
}

BlockId block_of(const Memory& memory) {
    return BlockId{static_cast<std::uint32_t>(memory.token)};
}

std::vector<std::optional<Memory>> restore_pool(Allocator& allocator,
                                                const PoolState& saved,
                                                const std::vector<Memory>& live) {
    std::vector<bool> in_pool;
    for (const Memory& memory : live) {
        const Block& block = allocator.block(block_of(memory));
        in_pool.push_back(allocator::pool_of(allocator.state(), block).owner == saved.pool);
    }
    std::map<Address, BlockId> allocated = allocator.restore_pool(saved);
    std::vector<std::optional<Memory>> now(live.begin(), live.end());
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (in_pool[i]) {
            const auto block = allocated.extract(live[i].address);
            now[i] = block.empty() ? std::nullopt
                                   : std::optional(Memory{
                                         live[i].address, live[i].size, index_of(block.mapped())});
        }
    }
    for (const auto& [address, block] : allocated) {
        allocator.free(block);
    }
    return now;
}

}  // namespace highwater::gpu
