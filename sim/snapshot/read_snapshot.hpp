#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/snapshot/input_file.hpp"
#include "sim/snapshot/snapshot.hpp"

namespace highwater {

enum class SnapshotFormat { kPickle, kJson };

/// By the file's first byte: JSON begins with `{`, and gzip-compressed files are taken for JSON.
/// Throws `InputError` if the file is empty, or looks like something else that people have.
SnapshotFormat format_of(const InputFile& file);

/// Whether the file begins as the JSON of `highwater run` does, which is no memory history.
bool is_result(const InputFile& file);

/// A memory history in either format; without one, as its content says. `device` is PyTorch's
/// ordinal, for pickles of several devices. Throws `InputError`.
Snapshot read_snapshot(InputFile& file,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device);
/// Of the file at `path`; "-" is standard input.
Snapshot read_snapshot(const std::string& path,
                       std::optional<SnapshotFormat> format,
                       std::optional<std::uint32_t> device);

}  // namespace highwater
