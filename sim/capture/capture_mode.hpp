#pragma once

#include <cstdint>

namespace highwater {

/// cudaStreamCaptureMode, PyTorch's `capture_error_mode`: whose unsafe calls break the capture.
enum class CaptureMode : std::uint8_t { kGlobal, kThreadLocal, kRelaxed };

}  // namespace highwater
