#include "sim/engine/executor.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

Executor::Executor(const Program& program, DeviceMemory& memory, PoolNumbers numbers)
    : program_(program),
      allocator_(parse_settings(program.machine.conf),
                 program.machine.total_memory,
                 Ports{memory, work_, captures_}),
      numbers_(numbers),
      tensors_(program.tensors.size()),
      events_(program.events.size()),
      graphs_(program.graphs.size()),
      pools_(program.pools.size()) {
    for (const StreamEntry& stream : program.streams) {
        const auto expected = static_cast<std::uint32_t>(&stream - program.streams.data());
        if (allocator_.add_stream(stream.handle) != StreamId{expected}) {
            refuse(fmt::format("stream '{}' is out of place", stream.name),
                   "list each stream once, the default stream (handle 0) first");
        }
    }
    if (program.machine.memory_fraction < 1.0) {
        allocator_.set_memory_fraction(program.machine.memory_fraction);
    }
}

OpResult Executor::step(std::size_t index) {
    current_ = index;
    return std::visit(*this, program_.ops[index]);
}

void Executor::refuse(const std::string& problem, const std::string& remedy) const {
    const SourcePlace place = current_ < program_.places.size()
                                  ? program_.places[current_]
                                  : SourcePlace{"program", current_ + 1, 0};
    throw InputError(place, problem, remedy);
}

std::optional<PoolId> Executor::pool_id(PoolName name) const {
    return pools_[index_of(name)];
}

Executor::Tensor& Executor::live_tensor(TensorId id) {
    Tensor& tensor = tensors_[index_of(id)];
    if (!tensor.live) {
        refuse(fmt::format("tensor '{}' is not allocated here", program_.tensors[index_of(id)]),
               "allocate it before, and free it once");
    }
    return tensor;
}

Executor::Graph& Executor::graph(GraphId id) {
    return graphs_[index_of(id)];
}

OpResult Executor::operator()(const op::Alloc& op) {
    Tensor& tensor = tensors_[index_of(op.tensor)];
    if (tensor.live) {
        refuse(
            fmt::format("tensor '{}' is allocated already", program_.tensors[index_of(op.tensor)]),
            "free it first, or use another name");
    }
    const MallocResult result = allocator_.malloc(op.size, op.stream);
    if (const auto* out_of_memory = std::get_if<OutOfMemory>(&result)) {
        return *out_of_memory;
    }
    tensor.live = true;
    const auto* allocated = std::get_if<Allocated>(&result);
    tensor.block = allocated != nullptr ? std::optional(allocated->block) : std::nullopt;
    return allocated != nullptr ? allocated->address : Address{0};
}

OpResult Executor::operator()(const op::Free& op) {
    Tensor& tensor = live_tensor(op.tensor);
    tensor.live = false;
    if (tensor.block) {
        allocator_.free(*tensor.block);
    }
    return {};
}

OpResult Executor::operator()(const op::RecordStream& op) {
    const Tensor& tensor = live_tensor(op.tensor);
    if (tensor.block) {
        allocator_.record_stream(*tensor.block, op.stream);
    }
    return {};
}

OpResult Executor::operator()(const op::Kernel& op) {
    std::ranges::for_each(op.reads, [this](TensorId id) { live_tensor(id); });
    std::ranges::for_each(op.writes, [this](TensorId id) { live_tensor(id); });
    captures_.launch(op.stream);
    return {};
}

OpResult Executor::operator()(const op::RecordEvent& op) {
    const StreamId at = op.stream;
    events_[index_of(op.event)] = Event{work_.record(at), captures_.record(at)};
    return {};
}

OpResult Executor::operator()(const op::WaitEvent& op) {
    // As in CUDA, waiting for an event that was never recorded does nothing.
    if (const auto& event = events_[index_of(op.event)]) {
        captures_.wait(op.stream, event->captured);
        work_.wait(op.stream, event->event);
    }
    return {};
}

OpResult Executor::operator()(const op::Synchronize& op) {
    const auto synchronize = [this](StreamId id) {
        if (captures_.capture_of(id)) {
            throw PredictedError(PredictedError::Kind::kRuntimeError,
                                 "the host synchronises with a stream that is capturing "
                                 "(cudaErrorStreamCaptureUnsupported)");
        }
        work_.synchronize(work_.record(id));
    };
    if (op.stream) {
        synchronize(*op.stream);
        return {};
    }
    for (std::uint32_t i = 0; i < program_.streams.size(); ++i) {
        synchronize(StreamId{i});
    }
    return {};
}

OpResult Executor::operator()(const op::EmptyCache&) {
    allocator_.empty_cache();
    return {};
}

OpResult Executor::operator()(const op::SetAllocatorSettings& op) {
    allocator_.apply_settings(op.conf);
    return {};
}

OpResult Executor::operator()(const op::ResetPeaks&) {
    allocator_.reset_peaks();
    return {};
}

OpResult Executor::operator()(const op::Checkpoint&) {
    return {};
}

OpResult Executor::operator()(const op::HoldStream& op) {
    work_.hold(op.stream);
    return {};
}

OpResult Executor::operator()(const op::ReleaseStream& op) {
    work_.release(op.stream);
    return {};
}

}  // namespace highwater
