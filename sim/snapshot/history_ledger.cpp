#include "sim/snapshot/history_ledger.hpp"

#include "sim/engine/pool_rows.hpp"

namespace highwater {
namespace {

CheckpointRow row_of(std::string name, const SimulatedHistory& simulated) {
    CheckpointRow row;
    row.name = std::move(name);
    row.stats = simulated.state().counters.stats();
    return row;
}

}  // namespace

void HistoryLedger::start(const SimulatedHistory& simulated) {
    ledger.checkpoints.push_back(row_of("start", simulated));
    peak_ = row_of("peak", simulated);
    most_ = simulated.state().total_allocated.count;
}

void HistoryLedger::note(const SimulatedHistory& simulated) {
    if (simulated.state().total_allocated.count > most_) {
        most_ = simulated.state().total_allocated.count;
        peak_ = row_of("peak", simulated);
        peak_at_ = notes_;
    }
    ++notes_;
}

void HistoryLedger::end(const SimulatedHistory& simulated,
                        const std::map<PoolId, std::string>& pool_names) {
    ledger.checkpoints.push_back(peak_);
    ledger.checkpoints.push_back(row_of("end", simulated));
    ledger.result = ledger.checkpoints.back().stats;
    ledger.segments = allocator::snapshot(simulated.state());
    ledger.pools = pool_rows(simulated.state(), pool_names);
}

}  // namespace highwater
