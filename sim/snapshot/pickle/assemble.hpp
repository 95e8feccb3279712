#pragma once

#include <string>

#include "sim/snapshot/pickle/records.hpp"
#include "sim/snapshot/read_pickle.hpp"

namespace highwater::pickle {

/// The snapshot in what a file's pickle turned out to be. Throws `InputError`.
Snapshot assemble(Records records,
                  const Value& whole,
                  const std::string& name,
                  const PickleOptions& options);

}  // namespace highwater::pickle
