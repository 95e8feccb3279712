#pragma once

#include <memory>
#include <string>

#include "gpu/calibrate/probes.hpp"
#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// Backends are modules beside the program, `highwater_gpu_NAME.so`: only the chosen one is loaded,
/// so that a machine without PyTorch can still use the others, and PyTorch's library reads its
/// environment after that has been set.
///
/// What a module exports under `kOpenName`: it gives a backend that is ready to run `program`,
/// whose header counts, as the rank and on its device. May throw `NoMeasurement` and
/// `RefusedError`.
using OpenBackend = Backend* (*)(const Program& program, const Rank& rank);
inline constexpr const char* kOpenName = "highwater_gpu_open";

/// Loads the module from the folder and opens its backend. Throws `NoMeasurement` where it was not
/// built, or a library that it needs is not there or of another version; what the module throws.
std::unique_ptr<Backend> open_backend(const std::string& folder,
                                      const std::string& name,
                                      const Program& program,
                                      const Rank& rank);

/// The same for what calibration needs, `highwater_gpu_calibrate.so`, which exports this: it makes
/// the context of the device of that number. What of the environment changes times is unset.
using OpenProbes = Probes* (*)(int device);
inline constexpr const char* kOpenProbesName = "highwater_gpu_open_probes";
std::unique_ptr<Probes> open_probes(const std::string& folder, int device);

/// Sets what PyTorch reads of the environment when it is loaded: its settings, whether it caches,
/// and whether launches block.
void set_environment(const Machine& machine);

}  // namespace highwater::gpu
