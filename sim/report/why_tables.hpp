#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/snapshot/why/advise.hpp"
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

/// What would have saved memory, each run on the same history. Nothing if nothing would.
std::string advice_table(const std::vector<Advice>& advice);

}  // namespace highwater
