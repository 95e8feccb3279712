#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/snapshot/why/history_advice.hpp"
#include "sim/snapshot/why/why.hpp"

namespace highwater {

/// Names for people.
struct WhyNames {
    std::function<std::string(PoolId)> pool;
    std::function<std::string(StreamId)> stream;
};

/// Where memory is at a moment: pools with their largest owners, why the request of the moment
/// found nothing, and whose blocks keep free memory from going back.
std::string why_tables(const Why& why, const WhyNames& names);

/// What would have saved memory, each run on the same history, and the options of `replay` that
/// show the best of it.
std::string advice_tables(const HistoryAdvice& advice);

/// The options of `replay` that run the remedy, as for a shell.
std::string replay_options(const Remedy& remedy);

}  // namespace highwater
