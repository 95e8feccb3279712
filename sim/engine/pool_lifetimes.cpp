#include "sim/engine/pool_lifetimes.hpp"

#include <algorithm>
#include <optional>

namespace highwater {
namespace {

std::size_t operations_run(const Program& program, const Ledger& ledger) {
    return ledger.failure ? ledger.failure->op : program.ops.size();
}

}  // namespace

std::vector<PoolLifetimes> pool_lifetimes(const Program& program, const Ledger& ledger) {
    std::vector<PoolLifetimes> pools(ledger.pools.size());
    const std::size_t end = operations_run(program, ledger);
    // By tensor: the place of its latest lifetime, while it lives.
    std::vector<std::optional<std::size_t>> living(program.tensors.size());
    std::size_t next = 0;
    for (std::size_t op = 0; op < end; ++op) {
        if (next < ledger.placements.size() && ledger.placements[next].op == op) {
            const Placement& placed = ledger.placements[next];
            auto& lifetimes = pools[placed.pool].lifetimes;
            lifetimes.push_back({next, op, end, placed.size});
            living[index_of(placed.tensor)] = next++;
        } else if (const auto* freed = std::get_if<op::Free>(&program.ops[op])) {
            std::optional<std::size_t>& placement = living[index_of(freed->tensor)];
            if (placement) {
                auto& lifetimes = pools[ledger.placements[*placement].pool].lifetimes;
                std::ranges::lower_bound(lifetimes, *placement, {}, &Lifetime::id)->upper = op;
                placement.reset();
            }
        }
    }
    return pools;
}

}  // namespace highwater
