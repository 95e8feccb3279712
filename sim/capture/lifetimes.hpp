#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/bytes.hpp"

namespace highwater {

/// When memory of a size is in use, in steps of a program: [lower, upper). One that ends no later
/// than it begins is never in use.
struct Lifetime {
    std::size_t id = 0;
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
    Bytes size;
    friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

/// Whether both are in use in some step.
bool overlap(const Lifetime& a, const Lifetime& b);

/// The most bytes in use in one step: no pool that serves these lifetimes is smaller.
Bytes largest_live(std::span<const Lifetime> lifetimes);

/// The problem in the form that MiniMalloc reads: a line `id,lower,upper,size`, then one line a
/// lifetime.
std::string to_minimalloc_csv(std::span<const Lifetime> lifetimes);

}  // namespace highwater
