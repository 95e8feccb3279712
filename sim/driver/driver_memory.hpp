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
    /// What the memory of graphs' allocation nodes has come to (`GraphMemory`).
    void hold_memory_nodes(Bytes bytes) { memory_nodes_ = bytes; }

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
    Bytes memory_nodes_;
    Named libraries_;
    Named collectives_;
};

}  // namespace highwater
