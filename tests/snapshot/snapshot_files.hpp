#pragma once

#include <cstdint>
#include <string>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// A file of tests/recorded/snapshots, as bytes.
std::string recorded_snapshot(const std::string& name);

/// Of the bytes of a file `x.pickle`.
Snapshot read_bytes(const std::string& bytes);
Snapshot read_bytes(const std::string& bytes, std::uint32_t device);

/// What `read_bytes` throws, as `InputError` prints it; empty if it throws nothing.
std::string error_of(const std::string& bytes);

}  // namespace highwater
