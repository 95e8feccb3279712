#include "sim/driver/graph_exec_memory.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace highwater {

void GraphExecMemory::Store::take(Bytes bytes) {
    used += bytes;
    most = std::max(most, used);
}

void GraphExecMemory::instantiate(GraphExecId graph, const GraphExecShape& shape) {
    check(alive_.emplace(graph, shape).second, "a graph is instantiated once");
    nodes_.take(node_bytes(shape));
    launches_.take(launch_bytes(shape));
}

void GraphExecMemory::destroy(GraphExecId graph) {
    const auto found = alive_.find(graph);
    check(found != alive_.end(), "a graph that is destroyed was instantiated");
    nodes_.give_back(node_bytes(found->second));
    launches_.give_back(launch_bytes(found->second));
    alive_.erase(found);
}

Bytes GraphExecMemory::taken() const {
    return in_steps(beyond(nodes_.most + launches_.most, costs_.in_context), granularity_);
}

Bytes GraphExecMemory::node_bytes(const GraphExecShape& shape) const {
    return costs_.kernel_node * shape.kernels;
}

Bytes GraphExecMemory::launch_bytes(const GraphExecShape& shape) const {
    return costs_.graph + costs_.kernel_launch * shape.kernels + costs_.join * shape.joins;
}

}  // namespace highwater
