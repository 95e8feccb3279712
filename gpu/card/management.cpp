#include "gpu/card/management.hpp"

#include <array>

#include <dlfcn.h>

namespace highwater::gpu {
namespace {

// NVML comes with the driver, not with the toolkit's run-time libraries: it is looked for, and its
// few declarations are here (NVML API reference).
using Status = int;
using Handle = void*;
constexpr Status kSuccess = 0;
constexpr Status kInsufficientSize = 7;

class Nvml {
  public:
    Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
        const auto init = function<Status()>("nvmlInit_v2");
        is_ready_ = init != nullptr && init() == kSuccess;
    }
    ~Nvml() {
        if (const auto shutdown = function<Status()>("nvmlShutdown"); is_ready_ && shutdown) {
            shutdown();
        }
        if (library_ != nullptr) {
            dlclose(library_);
        }
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    bool is_ready() const { return is_ready_; }

    template <typename Signature>
    Signature* function(const char* name) const {
        return library_ == nullptr ? nullptr : reinterpret_cast<Signature*>(dlsym(library_, name));
    }

  private:
    void* library_;
    bool is_ready_ = false;
};

std::string driver_of(const Nvml& nvml) {
    constexpr unsigned kLength = 96;
    std::array<char, kLength> text{};
    const auto version = nvml.function<Status(char*, unsigned)>("nvmlSystemGetDriverVersion");
    return version != nullptr && version(text.data(), kLength) == kSuccess ? text.data() : "";
}

std::optional<std::size_t> processes_of(const Nvml& nvml, const std::string& pci_bus_id) {
    const auto find =
        nvml.function<Status(const char*, Handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
    const auto count =
        nvml.function<Status(Handle, unsigned*, void*)>("nvmlDeviceGetComputeRunningProcesses_v3");
    Handle device = nullptr;
    if (find == nullptr || count == nullptr || find(pci_bus_id.c_str(), &device) != kSuccess) {
        return std::nullopt;
    }
    unsigned processes = 0;
    const Status status = count(device, &processes, nullptr);
    return status == kSuccess || status == kInsufficientSize ? std::optional<std::size_t>(processes)
                                                             : std::nullopt;
}

}  // namespace

Management ask_management(const std::string& pci_bus_id) {
    const Nvml nvml;
    if (!nvml.is_ready()) {
        return {};
    }
    return {driver_of(nvml), processes_of(nvml, pci_bus_id)};
}

}  // namespace highwater::gpu
