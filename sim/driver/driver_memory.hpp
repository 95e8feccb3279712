#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/ids.hpp"
#include "sim/driver/graph_exec_memory.hpp"
#include "sim/driver/memory_profile.hpp"

namespace highwater {

/// One part of what is in use on the device beside PyTorch's allocator.
struct DriverTerm {
    enum class What {
        kContext,
        kModules,
        kStreams,
        kGraphs,
        kMemoryNodes,
        kLibrary,
        kCollective,
    };

    What what = What::kContext;
    /// Of a library or a collective.
    std::string name;
    Bytes bytes;
    /// Up or down.
    Bytes error;
    std::string source;
    friend bool operator==(const DriverTerm&, const DriverTerm&) = default;
};

/// In plain words: "graph memory nodes".
std::string_view name_of(DriverTerm::What what);

/// What the driver holds for a process, by what the process has done so far: it is told, and says.
/// Nothing but a library that is given back ever makes it less.
class DriverMemory {
  public:
    /// The context is there from the beginning.
    explicit DriverMemory(MemoryProfile profile);

    /// Modules are loaded at the first one.
    void launch_kernel() { has_launched_ = true; }
    /// At the first work on the stream; the default stream is part of the context.
    void use_stream(StreamId stream);

    void instantiate(GraphExecId graph, const GraphExecShape& shape);
    void destroy(GraphExecId graph);
    /// A launch of a graph with memory nodes that need so much (`lay_out_memory_nodes`); what
    /// counts is its first launch. Graphs first launched on one stream cannot overlap and share
    /// their memory, which stays with the driver when they are destroyed.
    void launch_memory_nodes(GraphExecId graph, StreamId stream, Bytes needed);

    /// What the allocator of graph memory holds, where that is simulated: takes the place of
    /// `launch_memory_nodes`.
    void hold_memory_nodes(Bytes bytes) { held_nodes_ = bytes; }

    /// Memory that a library has from the driver itself: in steps of the granularity. More under
    /// the same name adds to it; the last source stands.
    void add_library(const std::string& name, const FixedMemory& memory);
    void remove_library(const std::string& name) { libraries_.erase(name); }
    /// The same for buffers of a communicator.
    void add_collective(const std::string& name, const FixedMemory& memory);

    /// Those that there are, in the order of `What`, then by name.
    std::vector<DriverTerm> terms() const;
    /// The sum of the terms.
    Bytes total() const;
    /// The sum of their errors: they need not cancel.
    Bytes error() const;

  private:
    using Named = std::map<std::string, FixedMemory>;

    static void add(Named& all, const std::string& name, const FixedMemory& memory);
    DriverTerm streams() const;
    DriverTerm graphs() const;
    DriverTerm memory_nodes() const;
    void list(DriverTerm::What what, const Named& all, std::vector<DriverTerm>& terms) const;

    MemoryProfile profile_;
    bool has_launched_ = false;
    std::set<StreamId> streams_;
    GraphExecMemory graphs_;
    std::set<GraphExecId> launched_;
    /// The most that a graph needed, by the stream of its first launch.
    std::map<StreamId, Bytes> node_memory_;
    Bytes held_nodes_;
    Named libraries_;
    Named collectives_;
};

}  // namespace highwater
