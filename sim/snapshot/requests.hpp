#pragma once

#include <cstddef>

#include "sim/snapshot/history.hpp"
#include "sim/snapshot/request_list.hpp"

namespace highwater {

/// The requests behind all events from `history.first_event` on.
RequestList requests_of(const Snapshot& snapshot, const History& history);

/// Allocations that were live at the start.
std::size_t start_allocations(const History& history);

}  // namespace highwater
