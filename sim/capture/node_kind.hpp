#pragma once

#include <string_view>

#include "sim/capture/capture_graph.hpp"

namespace highwater {

/// In lower case, as in "memset".
std::string_view name_of(NodeKind kind);

}  // namespace highwater
