#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "sim/engine/ledger.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// Notes the figures of a replayed history: at its start, at the peak of reserved memory, at its
/// end.
class HistoryLedger {
  public:
    void start(const SimulatedHistory& simulated);
    /// After each request: keeps the figures if there was never so much reserved before.
    void note(const SimulatedHistory& simulated);
    void end(const SimulatedHistory& simulated, const std::map<PoolId, std::string>& pool_names);

    /// What was noted when there was never more reserved, counted from 0; none for the start.
    std::optional<std::size_t> peak() const { return peak_at_; }

    Ledger ledger;

  private:
    CheckpointRow peak_;
    std::size_t notes_ = 0;
    std::optional<std::size_t> peak_at_;
    std::uint64_t most_ = 0;
};

}  // namespace highwater
