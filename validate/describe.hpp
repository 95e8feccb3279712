#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "validate/recorded_program.hpp"

/// Figures as texts, to be compared and shown.
namespace highwater {

RecordedResult recorded_form(const OpResult& result);
std::string describe(const RecordedResult& result);
std::string describe(const TraceEvent& event);
std::string describe(const SegmentInfo& segment);

/// Reads a counter by its short name: the current value over all pools, or a plain count. Throws
/// `std::invalid_argument` for a name PyTorch does not have.
using CounterReader = std::function<std::uint64_t(const MemoryStats&)>;
CounterReader counter_reader(std::string_view name);

/// All statistics under PyTorch's flat names, `allocated_bytes.all.peak` and so on.
std::map<std::string, std::uint64_t> flat(const MemoryStats& stats);

}  // namespace highwater
