#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "gpu/calibrate/probes.hpp"

namespace highwater::gpu {

constexpr int kUsualRepeats = 5;
constexpr int kUsualSeconds = 60;

struct CalibrateOptions {
    std::string out;
    std::string extends = "h200-cuda13";
    std::string date;
    std::string modules;
    int device = 0;
    int repeat = kUsualRepeats;
    int seconds = kUsualSeconds;
};

/// Adds `calibrate` and its options, which outlive the program's use. Gives the command.
CLI::App* add_calibrate(CLI::App& program, CalibrateOptions& options);

/// Measures the card and writes the profile. Gives the exit status: 0 done, 3 no measurement could
/// be made, which standard error tells in a line. Throws `InputError`.
int calibrate(const CalibrateOptions& options, const ProbesOpener& open);

}  // namespace highwater::gpu
