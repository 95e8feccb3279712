#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

// What is measured on every card.

struct TimeProbe {
    Timed what{};
    std::uint64_t n = 1;
    friend auto operator<=>(const TimeProbe&, const TimeProbe&) = default;
};

std::vector<TimeProbe> time_probes();

/// Each is instantiated in a process of its own, graph after graph.
std::vector<std::vector<GraphForm>> graph_sequences();

/// Beside the default stream.
constexpr std::size_t kStreamsTried = 64;

constexpr Bytes kMallocTried{1ULL << 20U};
constexpr std::size_t kMallocsTried = 32;

/// What graphs allocate.
std::vector<Bytes> node_sizes();

}  // namespace highwater::gpu
