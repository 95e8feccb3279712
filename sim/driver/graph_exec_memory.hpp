#pragma once

#include <cstdint>
#include <map>

#include "sim/driver/graph_exec_shape.hpp"
#include "sim/driver/memory_profile.hpp"

namespace highwater {

/// An instantiated graph (cudaGraphExec_t).
enum class GraphExecId : std::uint64_t {};

/// What the driver holds for the graphs that a process has instantiated, one after the other.
class GraphExecMemory {
  public:
    GraphExecMemory(const GraphExecCosts& costs, Bytes granularity)
        : costs_(costs), granularity_(granularity) {}

    /// The id is not among the graphs alive.
    void instantiate(GraphExecId graph, const GraphExecShape& shape);
    /// Its memory stays with the driver. The id is among the graphs alive.
    void destroy(GraphExecId graph);

    /// Beyond what the context has, in whole steps. It never shrinks.
    Bytes taken() const;
    bool has_instantiated() const { return nodes_.most != Bytes{} || launches_.most != Bytes{}; }

  private:
    struct Store {
        Bytes used;
        Bytes most;
        void take(Bytes bytes);
        void give_back(Bytes bytes) { used -= bytes; }
    };

    Bytes node_bytes(const GraphExecShape& shape) const;
    Bytes launch_bytes(const GraphExecShape& shape) const;

    GraphExecCosts costs_;
    Bytes granularity_;
    Store nodes_;
    Store launches_;
    std::map<GraphExecId, GraphExecShape> alive_;
};

}  // namespace highwater
