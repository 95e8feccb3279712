#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/text/source_files.hpp"
#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {

inline constexpr std::size_t kMaxExtendsDepth = 16;
inline constexpr std::size_t kMaxExtendedFiles = 64;
inline constexpr std::size_t kMaxExtendedBytes = std::size_t{2} << 20;

/// A scenario's text with all that it extends, as one document: a file under its path relative to
/// the one that extends it, a name without `.yaml` as a preset. `files` gets what was read, also
/// when it throws. Throws `InputError`.
YamlDocument read_document(std::string_view text,
                           const std::string& file,
                           const FileReader& read_file,
                           SourceFiles& files);

/// Whether it names a file, as `base.yaml` does, or a preset.
bool names_a_file(std::string_view name);

/// The path of a file by the name that another file gives it.
std::string path_from(const std::string& naming, const std::string& name);

/// Refuses every file: presets only.
std::string read_no_file(const std::string& path);

}  // namespace highwater
