// What the Executor's operations take of the driver, beside the allocator.
#include <fmt/format.h>

#include "sim/core/size_text.hpp"
#include "sim/driver/graph_exec_shape.hpp"
#include "sim/engine/executor.hpp"

namespace highwater {
namespace {

using What = DriverTerm::What;

What what_of(op::DriverUser user) {
    switch (user) {
        case op::DriverUser::kLibrary:
            return What::kLibrary;
        case op::DriverUser::kCollective:
            return What::kCollective;
        case op::DriverUser::kOther:
            break;
    }
    return What::kOther;
}

}  // namespace

void Executor::out_of_driver_memory(const std::string& user, Bytes needed) const {
    throw PredictedError(
        CudaError::kMemoryAllocation,
        fmt::format("CUDA out of memory beside PyTorch's allocator: {} needs {}; the device has "
                    "{} free of {}; PyTorch keeps {} reserved, and {} is taken beside it",
                    user,
                    size_text(needed),
                    size_text(card_.free_bytes()),
                    size_text(program_.machine.total_memory),
                    size_text(Bytes{allocator_.stats().reserved_bytes.all.current}),
                    size_text(driver_.total())),
        "leave that much of the device to others than PyTorch");
}

// What is refused is not there: the next try is refused as well, while there is no room.
void Executor::use_stream(StreamId on) {
    if (!has_costs_ || streams_used_[index_of(on)]) {
        return;
    }
    require_room(fmt::format("the first work on stream `{}`", program_.streams[index_of(on)].name),
                 driver_.growth_of_kernel(on));
    streams_used_[index_of(on)] = true;
    driver_.launch_kernel();
    driver_.use_stream(on);
}

void Executor::require_room(const std::string& user, Bytes growth) const {
    if (growth > Bytes{} && growth > card_.free_bytes()) {
        out_of_driver_memory(user, growth);
    }
}

Bytes Executor::make_executable(GraphId id, const CaptureGraph& captured) {
    const GraphExecShape shape = exec_shape_of(captured);
    const Bytes growth = driver_.growth_of_graph(shape);
    require_room(fmt::format("graph `{}`, which is made executable,", name_of(id)), growth);
    driver_.instantiate(GraphExecId{graph(id).place}, shape);
    return growth;
}

OpResult Executor::operator()(const op::AddDriverMemory& op) {
    const FixedMemory memory{op.size, {op.error, 0}, op.source};
    if (op.stream && op.size > Bytes{} && captures_.capture_of(stream(*op.stream))) {
        add_library_node(op.name, *op.stream, memory);
        return {};
    }
    add_driver_memory({what_of(op.user), op.name}, memory);
    return {};
}

void Executor::add_driver_memory(const DriverMemory::Owner& owner, const FixedMemory& memory) {
    require_room(fmt::format("`{}`", owner.name), driver_.growth(owner, memory.bytes));
    driver_.add(owner, memory);
}

OpResult Executor::operator()(const op::MakeCommunicator& op) {
    if (communicators_.contains(op.name)) {
        refuse(fmt::format("communicator `{}` is there already", op.name),
               "use another name, or free it before");
    }
    add_driver_memory({What::kCollective, op.name}, {op.size, {op.error, 0}, op.source});
    communicators_.emplace(op.name, Communicator{op.first_use, op.captured, op.source});
    return {};
}

OpResult Executor::operator()(const op::AllReduce& op) {
    live_tensor(op.tensor);
    const auto found = communicators_.find(op.communicator);
    if (found == communicators_.end()) {
        refuse(fmt::format("there is no communicator `{}` here", op.communicator),
               "make it before");
    }
    take_for_collective(found->second, op);
    const bool is_known = op.duration != Duration{};
    launch(op.stream,
           NodeKind::kKernel,
           {is_known ? op.duration : times_.card.kernel_base, op.width, Work::Unit::kCard});
    return {};
}

// What is connected at the first use stays; what a capture takes is not known to come back.
void Executor::take_for_collective(Communicator& communicator, const op::AllReduce& op) {
    const bool is_captured = captures_.capture_of(stream(op.stream)).has_value();
    const Bytes taken = communicator.first_use + (is_captured ? communicator.captured : Bytes{});
    if (taken > Bytes{}) {
        add_driver_memory({What::kCollective, op.communicator}, {taken, {}, communicator.source});
    }
    communicator.first_use = {};
}

void Executor::add_library_node(const std::string& name, StreamId on, const FixedMemory& memory) {
    const CaptureId capture = captures_.capture_of(on).value();
    const auto address = allocator_.graph_memory().malloc(capture, memory.bytes, on);
    if (!address) {
        out_of_driver_memory(fmt::format("`{}`", name), memory.bytes);
    }
    library_nodes_.emplace(name, LibraryNode{capture, *address, on});
    driver_.add_library_nodes(name, memory);
}

OpResult Executor::operator()(const op::RemoveDriverMemory& op) {
    const auto [first, end] = library_nodes_.equal_range(op.name);
    for (auto node = first; node != end; ++node) {
        give_back(node->second);
    }
    const bool had_nodes = first != end;
    library_nodes_.erase(first, end);
    communicators_.erase(op.name);
    if (!driver_.remove(op.name) && !had_nodes) {
        refuse(fmt::format("`{}` has no memory of the driver here", op.name),
               "add it before, and remove it once");
    }
    return {};
}

// In the capture that allocated it by a node of the graph.
void Executor::give_back(const LibraryNode& node) {
    GraphMemory& memory = allocator_.graph_memory();
    if (captures_.capture_of(node.stream) == node.capture) {
        memory.free(node.capture, node.address, node.stream);
    } else {
        memory.free_outside(node.capture, node.address);
    }
}

}  // namespace highwater
