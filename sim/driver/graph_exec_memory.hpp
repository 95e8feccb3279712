#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/driver/graph_exec_shape.hpp"
#include "sim/driver/memory_profile.hpp"

namespace highwater {

/// An instantiated graph (cudaGraphExec_t).
enum class GraphExecId : std::uint64_t {};

/// Pages of one size, for pieces that each lie in one page, or in whole pages of their own if they
/// are as large. A piece goes to the first page with room. Without a page size, bytes.
class PageStore {
  public:
    struct Piece {
        Bytes size;
        /// None: in pages of its own.
        std::optional<std::size_t> page;
    };

    explicit PageStore(Bytes page_size) : page_size_(page_size) {}

    Piece take(Bytes size);
    void give_back(const Piece& piece);

    /// The most that the pages in use at once ever came to.
    Bytes most() const { return most_; }

  private:
    Bytes used() const;
    std::size_t page_with_room(Bytes size) const;

    Bytes page_size_;
    /// In pages of their own.
    Bytes whole_;
    /// What is taken of each page that pieces share.
    std::vector<Bytes> shared_;
    Bytes most_;
};

/// What the driver holds for the graphs that a process has instantiated, one after the other.
class GraphExecMemory {
  public:
    GraphExecMemory(const GraphExecCosts& costs, Bytes granularity)
        : costs_(costs), granularity_(granularity), nodes_(granularity) {}

    /// By how much `instantiate` would make `taken` grow.
    Bytes growth(const GraphExecShape& shape) const;
    /// The id is not among the graphs alive.
    void instantiate(GraphExecId graph, const GraphExecShape& shape);
    /// Its memory stays with the driver. The id is among the graphs alive.
    void destroy(GraphExecId graph);

    /// Beyond what the context has, in whole steps. It never shrinks.
    Bytes taken() const;
    bool has_instantiated() const { return has_instantiated_; }

  private:
    Bytes launches_of(const GraphExecShape& shape) const;
    Bytes in_use(Bytes most_nodes, Bytes most_launches) const;

    struct Held {
        PageStore::Piece nodes;
        Bytes launches;
    };

    GraphExecCosts costs_;
    Bytes granularity_;
    bool has_instantiated_ = false;
    PageStore nodes_;
    Bytes launches_;
    Bytes most_launches_;
    std::map<GraphExecId, Held> alive_;
};

}  // namespace highwater
