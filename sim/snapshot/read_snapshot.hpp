#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

enum class SnapshotFormat { kPickle, kJson };

/// By the file's first byte: JSON begins with `{`, and gzip-compressed files are taken for JSON.
/// Throws `InputError` if the file cannot be opened or is empty.
SnapshotFormat format_of(const std::string& path);

/// Whether the file begins as the JSON of `highwater run` does, which is no memory history. Throws
/// `InputError` if it cannot be opened.
bool is_result(const std::string& path);

/// A memory history in either format; without one, as its content says. `device` is PyTorch's
/// ordinal, for pickles of several devices. Throws `InputError`.
Snapshot read_snapshot(const std::string& path,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device);

}  // namespace highwater
