#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "sim/snapshot/replay.hpp"
#include "sim/snapshot/simulated_history.hpp"

namespace highwater {

/// The call stack behind each allocation of a history. Of what lived at the start the file has it
/// only if it still lives at the end.
class AllocationStacks {
  public:
    AllocationStacks(const Snapshot& snapshot, const RecordedHistory& recorded);

    /// Of the blocks that are held now. Those that were there before the first event, and of which
    /// the file has no stack, are missing.
    std::map<Address, StackId> by_address(const SimulatedHistory& simulated) const;

  private:
    std::vector<StackId> by_allocation_;
    /// The first allocation that is not of the start.
    std::size_t of_start_ = 0;
};

}  // namespace highwater
