#pragma once

#include <cstdint>
#include <string>

#include "sim/core/bytes.hpp"

namespace highwater {

/// For people: "512 B", "706.0 MiB", with one decimal, rounded half up.
std::string size_text(Bytes size);

/// A difference of sizes: "-20.0 MiB".
std::string size_text(std::int64_t difference);

/// To the last digit: "740,294,656".
std::string grouped(std::uint64_t number);
std::string grouped(std::int64_t number);

}  // namespace highwater
