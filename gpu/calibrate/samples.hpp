#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/calibrate/fit_memory.hpp"
#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

struct TimeProbe {
    Timed what{};
    std::uint64_t n = 1;
    friend auto operator<=>(const TimeProbe&, const TimeProbe&) = default;
};

/// All that is measured of a card, as it was read.
struct Samples {
    CardFacts facts;
    std::size_t repeats = 0;
    /// What `Probes` gives; empty where there was no answer.
    std::vector<Bytes> streams;
    std::vector<Bytes> mallocs;
    std::vector<GraphSequence> graphs;
    std::vector<Bytes> nodes;
    /// A figure a process; none where one had no answer.
    std::vector<std::optional<double>> launch_queue;
    /// In nanoseconds.
    std::map<TimeProbe, std::vector<std::optional<double>>> times;
    /// What had no answer, and why.
    std::vector<std::string> notices;
};

/// What is measured on every card.
std::vector<TimeProbe> time_probes();
std::vector<std::vector<GraphForm>> graph_sequences();
/// How many streams there are beside the default one, and which sizes graphs allocate.
inline constexpr std::size_t kStreamsTried = 64;
std::vector<Bytes> node_sizes();

/// Which card is measured, and how.
struct Measuring {
    ProbesOpener open;
    std::string modules;
    int device = 0;
    std::size_t repeats = 1;
    /// Of each process.
    std::chrono::seconds limit{};
};

/// Measures: what memory is concerned in a process of its own each, times in `repeats` processes.
/// Throws `NoMeasurement` where there is no card to be asked; what a card cannot answer is left out
/// with a notice.
Samples take_samples(const Measuring& measuring);

}  // namespace highwater::gpu
