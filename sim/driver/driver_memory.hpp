#pragma once

#include <compare>
#include <cstddef>
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
        kOther,
    };

    What what = What::kContext;
    /// Of what has one: a library, a collective, anything else.
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
/// Nothing but what a named owner gives back ever makes it less.
class DriverMemory {
  public:
    /// The context is there from the beginning.
    explicit DriverMemory(MemoryProfile profile);

    /// Modules are loaded at the first one.
    void launch_kernel() { has_launched_ = true; }
    /// At the first work on the stream; the default stream is part of the context.
    void use_stream(StreamId stream);
    /// By how much the total would grow with a kernel on that stream.
    Bytes growth_of_kernel(StreamId stream) const;

    void instantiate(GraphExecId graph, const GraphExecShape& shape);
    /// By how much `instantiate` would make the total grow.
    Bytes growth_of_graph(const GraphExecShape& shape) const { return graphs_.growth(shape); }
    void destroy(GraphExecId graph);
    /// What the memory of graphs' allocation nodes has come to (`GraphMemory`).
    void hold_memory_nodes(Bytes bytes) { memory_nodes_ = bytes; }
    /// Such nodes are a library's: the term has its name, its error and its source, too.
    void add_library_nodes(const std::string& name, const FixedMemory& memory);

    /// Memory that a library, a communicator or anything else has from the driver itself, in steps
    /// of the granularity. More under the same name adds to it; the last source stands.
    struct Owner {
        /// kLibrary, kCollective or kOther.
        DriverTerm::What what{};
        std::string name;
        friend auto operator<=>(const Owner&, const Owner&) = default;
    };
    void add(const Owner& owner, const FixedMemory& memory);
    /// By how much `add` would make the total grow.
    Bytes growth(const Owner& owner, Bytes more) const;
    /// All that there is under the name is given back. False if there is nothing.
    bool remove(const std::string& name);
    bool has_owners() const { return !owners_.empty(); }

    /// Those that there are, in the order of `What`, then by name.
    std::vector<DriverTerm> terms() const;
    /// The sum of the terms.
    Bytes total() const;
    /// The same without the graph memory nodes, whose pages `GraphMemory` has from the device.
    Bytes total_beside_nodes() const { return total() - memory_nodes_; }
    /// The sum of their errors: they need not cancel.
    Bytes error() const;

  private:
    Bytes bytes_of_streams(std::size_t count) const;
    DriverTerm streams() const;
    DriverTerm graphs() const;
    DriverTerm memory_nodes() const;
    DriverTerm term(const Owner& owner, const FixedMemory& memory) const;

    MemoryProfile profile_;
    bool has_launched_ = false;
    std::set<StreamId> streams_;
    GraphExecMemory graphs_;
    Bytes memory_nodes_;
    std::map<std::string, FixedMemory> library_nodes_;
    std::map<Owner, FixedMemory> owners_;
};

}  // namespace highwater
