#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/calibrate/probes.hpp"
#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// Opens the backend of that name for the Program, as the rank and on its device.
using BackendOpener = std::function<std::unique_ptr<Backend>(
    const std::string& folder, const std::string& name, const Program& program, const Rank& rank)>;

/// Does what the words after the program's name say, and gives the exit status: 0 done, 1 the
/// program failed on the card as the JSON says, 2 bad input, 3 no measurement could be made. Why is
/// told in one line on standard error. `open` and `probes` are called in processes of their own.
int run_gpu_command_line(const std::vector<std::string>& words,
                         const BackendOpener& open,
                         const ProbesOpener& probes);

}  // namespace highwater::gpu
