#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace highwater::gpu {

/// What NVML says; empty where it is not there or does not say.
struct Management {
    std::string driver;
    std::optional<std::size_t> processes;
};

/// Of the card with the PCI bus id that cudaDeviceGetPCIBusId gives.
Management ask_management(const std::string& pci_bus_id);

}  // namespace highwater::gpu
