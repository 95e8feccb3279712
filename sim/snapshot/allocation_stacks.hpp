#pragma once

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

    /// Of the blocks that are held now.
    std::map<Address, StackId> by_address(const SimulatedHistory& simulated) const;

  private:
    std::vector<StackId> by_allocation_;
};

}  // namespace highwater
