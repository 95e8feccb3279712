#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/calibrate/fit_memory.hpp"
#include "gpu/calibrate/plan.hpp"
#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

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
