#pragma once

#include <cuda.h>

namespace highwater::gpu {

/// The address of the driver's function of that name. Throws `NoMeasurement` if there is none.
void* driver_symbol(const char* name);

/// The driver's own library is where a driver is, and nowhere else: it is looked for when needed.
template <typename Function>
Function driver_function(const char* name) {
    return reinterpret_cast<Function>(driver_symbol(name));
}

/// Throws `RefusedError` unless the call succeeded.
void driver_call(CUresult status, const char* call);

/// What memory is to be mapped: of the device.
CUmemAllocationProp page_properties(int device);

}  // namespace highwater::gpu
