#include "gpu/backend_module.hpp"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

namespace highwater::gpu {
namespace {

std::string why_not_loaded(const std::string& name, const std::string& error) {
    const bool is_torch =
        error.find("torch") != std::string::npos || error.find("libc10") != std::string::npos;
    if (error.find("undefined symbol") != std::string::npos) {
        return fmt::format(
            "the backend {} was built against another version of a library ({}); build it again on "
            "this machine",
            name,
            error);
    }
    return fmt::format("the backend {} finds no {} ({}); {}",
                       name,
                       is_torch ? "libtorch" : "library that it needs",
                       error,
                       is_torch ? "install PyTorch, or name its lib folder in LD_LIBRARY_PATH"
                                : "install it, or name its folder in LD_LIBRARY_PATH");
}

// What the module of that name exports under `symbol`.
void* exported(const std::string& folder, const std::string& name, const char* symbol) {
    const std::string path = fmt::format("{}/highwater_gpu_{}.so", folder, name);
    if (!std::filesystem::exists(path)) {
        throw NoMeasurement(fmt::format(
            "the {} {} was not built: there is no {}; configure with -DHIGHWATER_GPU=ON where "
            "its libraries are, and build it",
            symbol == kOpenName ? "backend" : "module",
            name,
            path));
    }
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
        const char* const error = dlerror();
        throw NoMeasurement(why_not_loaded(name, error != nullptr ? error : "no reason given"));
    }
    void* const found = dlsym(module, symbol);
    if (found == nullptr) {
        throw NoMeasurement(fmt::format("{} is no backend of this version; build it again", path));
    }
    return found;
}

void set(const char* name, const char* value) {
    if (value != nullptr) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}

}  // namespace

std::unique_ptr<Backend> open_backend(const std::string& folder,
                                      const std::string& name,
                                      const Program& program,
                                      const Rank& rank) {
    const auto open = reinterpret_cast<OpenBackend>(exported(folder, name, kOpenName));
    return std::unique_ptr<Backend>(open(program, rank));
}

std::unique_ptr<Probes> open_probes(const std::string& folder, int device) {
    set_environment({});
    const auto open = reinterpret_cast<OpenProbes>(exported(folder, "calibrate", kOpenProbesName));
    return std::unique_ptr<Probes>(open(device));
}

void set_environment(const Machine& machine) {
    set("PYTORCH_CUDA_ALLOC_CONF", machine.conf.empty() ? nullptr : machine.conf.c_str());
    set("PYTORCH_ALLOC_CONF", nullptr);
    set("PYTORCH_NO_CUDA_MEMORY_CACHING", machine.caching ? nullptr : "1");
    set("CUDA_LAUNCH_BLOCKING", machine.blocking_launches ? "1" : nullptr);
    // Each call's device is the first thing to be known of it, as nvidia-smi counts.
    set("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
}

}  // namespace highwater::gpu
