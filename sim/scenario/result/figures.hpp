#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/ledger.hpp"
#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// What a run came to at a moment, a checkpoint or its end.
struct Moment {
    MemoryStats stats;
    Instant time{};
    Duration card_busy{};
    Duration host_bound{};
    Duration host_waited{};
    /// Beside the allocator.
    Bytes driver{};
    Bytes driver_error{};
};

Moment moment_of(const CheckpointRow& checkpoint);
/// All times are 0 without a cost profile.
Moment moment_of_end(const Ledger& ledger);

/// A moment's figure by its name in measures: a statistic's current value (`reserved_bytes`,
/// `segment`), its peak (`peak_reserved_bytes`), a count (`num_device_alloc`), or a time
/// (`time_ns`), or what the driver holds (`driver_bytes`).
std::optional<Value> find_figure(const Moment& moment, std::string_view name);
std::vector<std::string> figure_names();
/// Whether it is known only where the driver's memory is.
bool is_figure_of_driver(std::string_view name);

/// What only the end has: `elapsed_ns`, and `host_bound_share` of it.
std::optional<Value> find_figure_of_end(const Moment& end, std::string_view name);
std::vector<std::string> figure_names_of_end();

/// Of what was tried under the name: whether it `failed`, was `out_of_memory`, or with which
/// `cuda_error` (0 for none).
std::optional<Value> find_figure_of_try(const Ledger& ledger,
                                        const std::string& tried,
                                        std::string_view name);
std::vector<std::string> figure_names_of_try();

/// An integer of a measure; what is beyond 63 bits is the greatest.
Value as_value(std::uint64_t figure);

}  // namespace highwater
