#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "validate/compare/figures.hpp"

namespace highwater {

/// What `highwater-gpu run` measured, one point.
struct MeasuredRun {
    /// Of the file, without its folder.
    std::string file;
    RunFigures figures;
    std::string backend;
    /// "PyTorch 2.11.0"; empty where there is none.
    std::string framework;
    /// "NVIDIA H200, driver 580.159.04, CUDA 13.0".
    std::string card;
    /// Of its memory, what the harness left to the program and the driver.
    Bytes card_size;
    std::uint64_t corrupt_words = 0;
    std::uint64_t corrupt_operations = 0;
    std::uint64_t verified_reads = 0;
    std::uint64_t repeats = 1;
    /// What the harness says of its figures.
    std::vector<std::string> notices;
};

/// The points of the file, plain or gzip-compressed: one, or those of a sweep. Throws `InputError`.
std::vector<MeasuredRun> read_measured(const std::string& path);

}  // namespace highwater
