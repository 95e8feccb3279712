#pragma once

#include <cstddef>
#include <string>

#include "sim/core/error.hpp"

namespace highwater {

/// A scalar of the file and where it stands.
struct PlacedText {
    std::string text;
    /// Of the first character of `text`.
    SourcePlace place;
    /// Does `text` stand in the file as it is, on one line? Escapes, folding and blocks change it;
    /// then every offset is reported at `place`.
    bool verbatim = false;

    /// The place of a byte of `text`. Columns count characters, so UTF-8 is counted through.
    SourcePlace at(std::size_t offset) const;
};

}  // namespace highwater
