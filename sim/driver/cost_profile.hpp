#pragma once

#include <string>

#include "sim/driver/memory_profile.hpp"
#include "sim/driver/time_profile.hpp"

namespace highwater {

/// What one card costs in time and memory beside the work itself, with the software that it was
/// measured under: figures of another card or another driver are another profile.
struct CostProfile {
    std::string name;
    std::string card;
    std::string driver;
    std::string cuda;
    std::string framework;
    TimeProfile times;
    MemoryProfile memory;
    friend bool operator==(const CostProfile&, const CostProfile&) = default;
};

}  // namespace highwater
