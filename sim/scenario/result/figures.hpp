#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/memory_stats.hpp"

namespace highwater {

/// A checkpoint's figure by its name in measures: a statistic's current value (`reserved_bytes`,
/// `segment`), its peak (`peak_reserved_bytes`), or a count (`num_device_alloc`).
std::optional<std::uint64_t> find_figure(const MemoryStats& stats, std::string_view name);

std::vector<std::string> figure_names();

}  // namespace highwater
