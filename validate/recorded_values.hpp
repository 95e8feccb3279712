#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/engine/program.hpp"

/// Values of a recording, taken strictly: no sign, no fraction, nothing near 2^64. All throw
/// `std::invalid_argument` for what is something else.
namespace highwater {

std::uint64_t unsigned_of(const nlohmann::json& value);
/// Below 2^62, so that sums of two stay below 2^64.
Bytes bytes_of(const nlohmann::json& value);
Address address_of(const nlohmann::json& value);
/// The stream with this index in the program's table.
StreamId stream_of(const Program& program, const nlohmann::json& index);
const nlohmann::json& list_of(const nlohmann::json& parent, const char* key);

}  // namespace highwater
