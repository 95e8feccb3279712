#include "gpu/card/driver_call.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "gpu/refused_error.hpp"

namespace highwater::gpu {

void* driver_symbol(const char* name) {
    static void* const kLibrary = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    void* const found = kLibrary == nullptr ? nullptr : dlsym(kLibrary, name);
    if (found == nullptr) {
        throw NoMeasurement(fmt::format("the driver has no {}; install a newer one", name));
    }
    return found;
}

void driver_call(CUresult status, const char* call) {
    if (status != CUDA_SUCCESS) {
        throw RefusedError(fmt::format("{} gives {}", call, static_cast<int>(status)),
                           static_cast<int>(status));
    }
}

CUmemAllocationProp page_properties(int device) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    return properties;
}

}  // namespace highwater::gpu
