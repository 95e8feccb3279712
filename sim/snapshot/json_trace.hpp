#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/snapshot/input_file.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// Reads a memory history kept as JSON, one object on one line, gzip-compressed or plain:
///
///   conf      PYTORCH_CUDA_ALLOC_CONF; may be missing
///   base      segments before the first event; may be missing
///   trace     events: [letter, address, bytes, stream handle], then maybe [pool, id];
///             a alloc, q free_requested, c free_completed, S segment_alloc, F segment_free,
///             M segment_map, U segment_unmap, O oom (the address is what the device had free)
///   segments  at the end, as in base: [address, bytes, stream handle, "small" or "large",
///             [pool, id], whether expandable, blocks as [bytes, requested, state]]
///
/// Other keys are passed over. Throws `InputError` for anything else.
Snapshot read_json_trace(const std::string& path);
/// The same of a file that is open, from its beginning.
Snapshot read_json_trace(InputFile& file);

/// The kind of event that a letter above stands for.
std::optional<TraceEvent::Kind> kind_of_letter(std::string_view letter);

}  // namespace highwater
