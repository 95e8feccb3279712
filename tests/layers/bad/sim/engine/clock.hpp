#pragma once

#include <yaml-cpp/yaml.h>

#include "run.hpp"
#include "sim/allocator/memory_stats.hpp"
#include "sim/core/bytes.hpp"

inline auto now() {
    return std::chrono::steady_clock::now();
}
