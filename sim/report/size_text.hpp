#pragma once

// Sizes for people are shared with the layers below, which name them in errors.
#include "sim/core/size_text.hpp"  // IWYU pragma: export
