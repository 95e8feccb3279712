#include "gpu/executor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater::gpu {

Executor::Executor(const Program& program, Backend& backend, RunClock& clock, const Rank& rank)
    : program_(program),
      card_(backend.card()),
      memory_(backend.memory()),
      clock_(clock),
      rank_(rank),
      threads_([this] { card_.enter_thread(); }),
      tensors_(program.tensors.size()),
      graphs_(program.graphs.size()),
      pools_(program.pools.size()) {}

StepResult Executor::step(std::size_t index) {
    current_ = index;
    StepResult result;
    threads_.run(thread_, [&] { result = std::visit(*this, program_.ops[index]); });
    return result;
}

void Executor::refuse(const std::string& problem, const std::string& remedy) const {
    const SourcePlace place = current_ < program_.places.size()
                                  ? program_.places[current_]
                                  : SourcePlace{"program", current_ + 1, 0};
    throw InputError(place, problem, remedy);
}

Executor::Tensor& Executor::live_tensor(TensorId id) {
    Tensor& found = tensors_.at(index_of(id));
    if (!found.live) {
        refuse(fmt::format("tensor '{}' is not allocated here", program_.tensors[index_of(id)]),
               "allocate it before, and free it once");
    }
    return found;
}

Executor::Tensor& Executor::free_name(TensorId id) {
    Tensor& found = tensors_.at(index_of(id));
    if (found.live) {
        refuse(fmt::format("tensor '{}' is allocated already", program_.tensors[index_of(id)]),
               "free it first, or use another name");
    }
    return found;
}

StepResult Executor::operator()(const op::Alloc& op) {
    return allocate(op.tensor, op.size, op.stream);
}

// As the simulator's: segments of this size and more are whole multiples of 2 MiB.
StepResult Executor::operator()(const op::AllocRest& op) {
    constexpr std::uint64_t kGranularity = 2ULL << 20U;
    if (op.unit.count == 0) {
        refuse("a unit of 0 bytes", "give the unit's size");
    }
    Bytes unreserved = card_.free_bytes();
    if (const std::optional<Bytes> limit = memory_.limit()) {
        const Bytes reserved{memory_.stats().reserved_bytes.all.current};
        unreserved = *limit > reserved ? std::min(unreserved, *limit - reserved) : Bytes{};
    }
    const std::uint64_t free = unreserved > op.keep_free
                                   ? (unreserved - op.keep_free).count / kGranularity * kGranularity
                                   : 0;
    const std::uint64_t units = std::max<std::uint64_t>(1, free / op.unit.count);
    return allocate(op.tensor, Bytes{units * op.unit.count}, op.stream);
}

StepResult Executor::allocate(TensorId id, Bytes size, StreamId stream) {
    Tensor& to = free_name(id);
    Tensor made{.live = true,
                .memory = {},
                .word = stamped_word(++allocations_, rank_.number, rank_.count),
                .content = {}};
    if (size > Bytes{}) {
        Taken taken = memory_.malloc(size, stream, thread_);
        if (auto* none = std::get_if<NoMemory>(&taken)) {
            return std::move(*none);
        }
        made.memory = std::get<Memory>(taken);
    }
    to = made;
    return Landed{id, to.memory ? to.memory->address : Address{}, size};
}

StepResult Executor::operator()(const op::Free& op) {
    Tensor& freed = live_tensor(op.tensor);
    freed.live = false;
    if (freed.memory && !freed.is_view) {
        memory_.free(*freed.memory);
    }
    return {};
}

StepResult Executor::operator()(const op::WeakView& op) {
    const Tensor& of = live_tensor(op.of);
    Tensor& view = free_name(op.view);
    view = of;
    view.is_view = true;
    return {};
}

StepResult Executor::operator()(const op::RecordStream& op) {
    const Tensor& used = live_tensor(op.tensor);
    if (used.memory && !used.is_view) {
        memory_.record_stream(*used.memory, op.stream);
    }
    return {};
}

PoolId Executor::known_pool(PoolName name) const {
    const std::optional<PoolId>& id = pools_.at(index_of(name));
    if (!id) {
        refuse(fmt::format("pool '{}' does not exist here", program_.pools[index_of(name)]),
               "create it, or take a pool handle, before");
    }
    return *id;
}

std::string Executor::pool_name(PoolId pool) const {
    const auto found =
        std::ranges::find(pool_names_, pool, [](const auto& row) { return row.first; });
    return found == pool_names_.end() ? "" : found->second;
}

StepResult Executor::operator()(const op::MakePoolHandle& op) {
    pools_.at(index_of(op.pool)) = memory_.make_pool_handle();
    pool_names_.emplace_back(known_pool(op.pool), program_.pools[index_of(op.pool)]);
    return {};
}

StepResult Executor::operator()(const op::CreatePool& op) {
    pools_.at(index_of(op.pool)) = memory_.create_pool(op.use_on_oom, op.no_split);
    pool_names_.emplace_back(known_pool(op.pool), program_.pools[index_of(op.pool)]);
    return {};
}

StepResult Executor::operator()(const op::DestroyPool& op) {
    const PoolId id = known_pool(op.pool);
    pools_.at(index_of(op.pool)).reset();
    memory_.destroy_pool(id);
    return {};
}

StepResult Executor::operator()(const op::EnterPool& op) {
    memory_.enter_pool(known_pool(op.pool), thread_);
    return {};
}

StepResult Executor::operator()(const op::LeavePool& op) {
    memory_.leave_pool(known_pool(op.pool));
    return {};
}

StepResult Executor::operator()(const op::SavePool& op) {
    memory_.save_pool(known_pool(op.pool), op.name);
    return {};
}

StepResult Executor::operator()(const op::RestorePool& op) {
    std::vector<Tensor*> live;
    std::vector<Memory> memory;
    for (Tensor& tensor : tensors_) {
        if (tensor.live && tensor.memory && !tensor.is_view) {
            live.push_back(&tensor);
            memory.push_back(*tensor.memory);
        }
    }
    const auto now = memory_.restore_pool(op.name, memory);
    bool is_lost = false;
    for (std::size_t i = 0; i < live.size(); ++i) {
        live[i]->memory = now.at(i);
        live[i]->live = now[i].has_value();
        is_lost = is_lost || !now[i];
    }
    if (is_lost) {
        throw RefusedError("a pool is set back while a tensor that was made since is alive");
    }
    return {};
}

StepResult Executor::operator()(const op::EmptyCache&) {
    memory_.empty_cache();
    return {};
}

StepResult Executor::operator()(const op::SetAllocatorSettings& op) {
    memory_.apply_settings(op.conf);
    return {};
}

StepResult Executor::operator()(const op::ResetPeaks&) {
    memory_.reset_peaks();
    return {};
}

StepResult Executor::operator()(const op::AddDriverMemory& op) {
    if (op.size > Bytes{} && !card_.add_library_memory(op.name, op.size, op.stream)) {
        return NoMemory{fmt::format(
            "CUDA out of memory beside the allocator: '{}' needs {} B", op.name, op.size.count)};
    }
    return {};
}

StepResult Executor::operator()(const op::RemoveDriverMemory& op) {
    const bool had_communicator = card_.destroy_communicator(op.name);
    if (!card_.remove_library_memory(op.name) && !had_communicator) {
        refuse(fmt::format("'{}' has no memory of the driver here", op.name),
               "add it before, and remove it once");
    }
    return {};
}

StepResult Executor::operator()(const op::SwitchThread& op) {
    thread_ = op.thread;
    return {};
}

StepResult Executor::operator()(const op::Try&) {
    return {};
}

StepResult Executor::operator()(const op::EndTry&) {
    return {};
}

StepResult Executor::operator()(const op::Checkpoint&) {
    return {};
}

}  // namespace highwater::gpu
