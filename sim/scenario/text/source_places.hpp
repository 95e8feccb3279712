#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// Turns byte offsets of a text into places in its file, whose columns count characters.
class SourcePlaces {
  public:
    /// `text` outlives this. Its lines end in `\n`.
    SourcePlaces(std::string_view text, std::string file);

    /// Cheap for offsets that rise, so that a file of one long line is read in linear time.
    SourcePlace at(std::size_t offset);

  private:
    std::string_view text_;
    std::string file_;
    std::vector<std::size_t> line_begins_;
    /// What was counted last: in the line that begins there, so many characters up to `end`.
    std::size_t counted_line_ = 0;
    std::size_t counted_end_ = 0;
    std::size_t counted_ = 0;
};

}  // namespace highwater
