#pragma once

#include <vector>

#include "sim/engine/executor.hpp"
#include "sim/engine/ledger.hpp"

namespace highwater {

/// Of every capture that has ended.
std::vector<GraphRow> graph_rows(const Executor& executor);

/// Of a timeline that has been drained.
RunTimes run_times(const Program& program, const Timeline& timeline);

}  // namespace highwater
