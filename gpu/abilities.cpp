#include "gpu/abilities.hpp"

#include <algorithm>

#include "sim/engine/modelled_settings.hpp"

namespace highwater::gpu {
namespace {

template <typename... Wanted>
bool has_any(const Program& program) {
    return std::ranges::any_of(
        program.ops, [](const Op& op) { return (std::holds_alternative<Wanted>(op) || ...); });
}

bool shares_pools(const Program& program) {
    return has_any<op::CreatePool, op::DestroyPool, op::EnterPool, op::LeavePool>(program);
}

bool is_async(const Program& program) {
    return modelled_settings(program.machine.conf, {"machine"}).backend ==
           AllocatorBackend::kCudaMallocAsync;
}

}  // namespace

std::optional<std::string> unsupported(const Program& program, const Abilities& abilities) {
    if (!abilities.pools && shares_pools(program)) {
        return "it has no memory pools";
    }
    if (!abilities.pool_states && has_any<op::SavePool, op::RestorePool>(program)) {
        return "it cannot set a pool back to an earlier state";
    }
    if (!abilities.no_caching && !program.machine.caching) {
        return "it cannot do without caching";
    }
    if (!abilities.blocking_launches && program.machine.blocking_launches) {
        return "it cannot wait for each launch";
    }
    if (!abilities.async_settings && is_async(program)) {
        return "it does not have PyTorch's own use of cudaMallocAsync";
    }
    return std::nullopt;
}

}  // namespace highwater::gpu
