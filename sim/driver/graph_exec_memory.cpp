#include "sim/driver/graph_exec_memory.hpp"

#include <algorithm>

#include "sim/core/check.hpp"

namespace highwater {

PageStore::Piece PageStore::take(Bytes size) {
    Piece piece{size, std::nullopt};
    if (size >= page_size_) {
        whole_ += in_steps(size, page_size_);
    } else {
        piece.page = page_with_room(size);
        shared_.resize(std::max(shared_.size(), *piece.page + 1));
        shared_[*piece.page] += size;
    }
    most_ = std::max(most_, used());
    return piece;
}

void PageStore::give_back(const Piece& piece) {
    if (piece.page) {
        shared_[*piece.page] -= piece.size;
    } else {
        whole_ -= in_steps(piece.size, page_size_);
    }
}

Bytes PageStore::used() const {
    const auto empty = std::ranges::count(shared_, Bytes{});
    return whole_ + page_size_ * (shared_.size() - static_cast<std::size_t>(empty));
}

std::size_t PageStore::page_with_room(Bytes size) const {
    const auto found =
        std::ranges::find_if(shared_, [&](Bytes taken) { return taken + size <= page_size_; });
    return static_cast<std::size_t>(found - shared_.begin());
}

Bytes GraphExecMemory::launches_of(const GraphExecShape& shape) const {
    return costs_.graph + costs_.kernel_launch * shape.kernels + costs_.join * shape.joins;
}

Bytes GraphExecMemory::growth(const GraphExecShape& shape) const {
    PageStore nodes = nodes_;
    nodes.take(costs_.kernel_node * shape.kernels);
    const Bytes launches = std::max(most_launches_, launches_ + launches_of(shape));
    return in_use(nodes.most(), launches) - taken();
}

void GraphExecMemory::instantiate(GraphExecId graph, const GraphExecShape& shape) {
    const Bytes launches = launches_of(shape);
    const PageStore::Piece nodes = nodes_.take(costs_.kernel_node * shape.kernels);
    check(alive_.emplace(graph, Held{nodes, launches}).second, "a graph is instantiated once");
    launches_ += launches;
    most_launches_ = std::max(most_launches_, launches_);
    has_instantiated_ = true;
}

void GraphExecMemory::destroy(GraphExecId graph) {
    const auto found = alive_.find(graph);
    check(found != alive_.end(), "a graph that is destroyed was instantiated");
    nodes_.give_back(found->second.nodes);
    launches_ -= found->second.launches;
    alive_.erase(found);
}

Bytes GraphExecMemory::taken() const {
    return in_use(nodes_.most(), most_launches_);
}

Bytes GraphExecMemory::in_use(Bytes most_nodes, Bytes most_launches) const {
    return in_steps(beyond(most_nodes + most_launches, costs_.in_context), granularity_);
}

}  // namespace highwater
