#pragma once

#include <string>

#include "sim/cli/point.hpp"

namespace highwater {

/// The captured graph of that name, for Graphviz; with no name the first. Throws `InputError`.
std::string graph_dot(const Point& point, const std::string& graph);

/// The lifetimes of the pool of that name, as MiniMalloc reads them; with no name, of the one that
/// reserved most. Throws `InputError`.
std::string lifetimes_csv(const Point& point, const std::string& pool);

/// The memory at the end and its history, which was noted, as PyTorch's snapshot file.
std::string snapshot_pickle(const Point& point);

}  // namespace highwater
