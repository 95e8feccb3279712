#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// Traces for Perfetto, read as tests do.
namespace highwater::trace_reading {

using Json = nlohmann::json;

/// Of microseconds with decimals.
std::int64_t ns(const Json& microseconds);

/// Those of a group of tracks and a phase: `X` slices, `i` instants, `C` counters.
std::vector<Json> events(const Json& trace, int group, const std::string& phase);

std::vector<std::string> names(const std::vector<Json>& all);

/// Empty if the track has none.
std::string track_name(const Json& trace, int group, int number);

/// The first event that is not as viewers want it; none is the aim.
std::string misplaced(const Json& trace);

/// What each counter of the group was last, by its name.
std::map<std::string, Json> last_counters(const Json& trace, int group);

}  // namespace highwater::trace_reading
