#pragma once

#include <map>
#include <string>

#include "sim/engine/ledger.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// Notes the figures of a replayed history: at its start, at the peak of reserved memory, at its
/// end.
class HistoryLedger {
  public:
    void start(const SimulatedHistory& simulated);
    /// After each request: keeps the figures if there was never more reserved.
    void note(const SimulatedHistory& simulated);
    void end(const SimulatedHistory& simulated, const std::map<PoolId, std::string>& pool_names);

    Ledger ledger;

  private:
    CheckpointRow peak_;
    std::uint64_t most_ = 0;
};

}  // namespace highwater
