#pragma once

#include <string_view>

namespace highwater {

/// The version of this highwater, as in the build's project.
std::string_view version();

}  // namespace highwater
