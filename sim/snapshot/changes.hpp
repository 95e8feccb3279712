#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/allocator/settings.hpp"
#include "sim/core/bytes.hpp"

namespace highwater {

/// Which private pools the captures of a history share.
enum class PoolChange { kShared, kPerGraph, kNone };

enum class SizeOrder { kAscending, kDescending };
/// By the bytes that captures ask for, or by their numbers, from 1, in the recording.
using CaptureOrderChange = std::variant<SizeOrder, std::vector<std::size_t>>;

/// What a what-if changes about a history; what is not given stays as it was.
struct Changes {
    /// PYTORCH_CUDA_ALLOC_CONF, in place of the recorded settings.
    std::optional<std::string> conf;
    /// See `stream_map`.
    std::string map_streams;
    std::optional<PoolChange> pools;
    std::optional<CaptureOrderChange> capture_order;
    /// Frees complete at once: nothing is recorded on other streams.
    bool drop_record_stream = false;
    /// The memory that PyTorch can have; none for as much as it wants.
    std::optional<Bytes> capacity;
    /// `torch-2.11`, or another release: see `check_profile`.
    std::string profile;
    friend bool operator==(const Changes&, const Changes&) = default;
};

/// `shared`, `per-graph` or `none`. Throws `InputError` with `option` as its place.
PoolChange parse_pool_change(std::string_view text, const std::string& option);

/// `asc`, `desc` or numbers with commas between them. Throws `InputError`.
CaptureOrderChange parse_capture_order(std::string_view text, const std::string& option);

/// The settings of a process started with the text. Throws `InputError` where PyTorch refuses it.
AllocatorSettings parse_conf(const std::string& conf, const std::string& option);

}  // namespace highwater
