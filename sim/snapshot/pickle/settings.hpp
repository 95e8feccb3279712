#pragma once

#include "sim/snapshot/pickle/records.hpp"

namespace highwater::pickle {

/// From the dict `allocator_settings`; null is none. Throws `InputError`.
SnapshotSettings settings_from(const Records& records, const Value* dict, const Origin& origin);

}  // namespace highwater::pickle
