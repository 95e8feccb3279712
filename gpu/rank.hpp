#pragma once

#include <cstdint>
#include <string>

namespace highwater::gpu {

/// Which of the processes that run a Program together this one is.
struct Rank {
    /// As nvidia-smi counts.
    int device = 0;
    std::uint32_t number = 0;
    std::uint32_t count = 1;
    /// Where the processes leave what the others have to know (`notes.hpp`). Empty where there is
    /// one.
    std::string folder{};
};

}  // namespace highwater::gpu
