#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "gpu/refused_error.hpp"

namespace highwater::gpu {

/// The first line of a message: what follows advises or tells where in PyTorch it was.
inline std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Calls PyTorch; what it throws becomes a `RefusedError`, but for out of memory.
template <typename Call>
auto torch_call(Call&& call) {
    try {
        return call();
    } catch (const c10::OutOfMemoryError&) {
        throw;
    } catch (const c10::AcceleratorError& error) {
        throw RefusedError(first_line(error.what_without_backtrace()), error.get_error_code());
    } catch (const c10::Error& error) {
        throw RefusedError(first_line(error.what_without_backtrace()));
    }
}

}  // namespace highwater::gpu
