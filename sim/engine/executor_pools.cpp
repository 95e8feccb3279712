// The Executor's operations on pools (around-allocator specification 3 and 4).
#include <fmt/format.h>

#include "sim/engine/executor.hpp"

namespace highwater {

PoolId Executor::known_pool(PoolName name) {
    const auto id = pool(name);
    if (!id) {
        refuse(fmt::format("pool `{}` does not exist here", program_.pools[index_of(name)]),
               "create it, or take a pool handle, before");
    }
    return *id;
}

OpResult Executor::operator()(const op::MakePoolHandle& op) {
    const PoolId id{0, numbers_.next_handle++};
    pool(op.pool) = id;
    pool_names_.emplace(id, program_.pools[index_of(op.pool)]);
    return id;
}

OpResult Executor::operator()(const op::CreatePool& op) {
    if (pool(op.pool)) {
        refuse(fmt::format("pool `{}` exists already", program_.pools[index_of(op.pool)]),
               "destroy it first, or use another name");
    }
    const PoolId id{0, numbers_.next_handle++};
    allocator_.create_pool(id, op.use_on_oom, op.no_split);
    pool(op.pool) = id;
    pool_names_.emplace(id, program_.pools[index_of(op.pool)]);
    return id;
}

OpResult Executor::operator()(const op::DestroyPool& op) {
    const PoolId id = known_pool(op.pool);
    pool(op.pool).reset();
    allocator_.destroy_pool(id);
    return {};
}

OpResult Executor::operator()(const op::EnterPool& op) {
    allocator_.begin_use_mem_pool(known_pool(op.pool), thread_);
    return {};
}

OpResult Executor::operator()(const op::LeavePool& op) {
    const PoolId id = known_pool(op.pool);
    allocator_.end_routing(id);
    allocator_.give_up_pool(id);
    return {};
}

}  // namespace highwater
