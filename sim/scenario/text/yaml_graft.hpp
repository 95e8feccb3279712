#pragma once

#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {

/// Moves all of `from` into `document`; gives the root that it had.
YamlDocument::NodeIndex append_document(YamlDocument& document, YamlDocument from);

/// `base` with `own` over it. Maps are merged entry by entry, the base's first; everything else of
/// `own` replaces what the base has. Throws `InputError` if the result breaks the bounds of a file.
YamlDocument::NodeIndex merged_over(YamlDocument& document,
                                    YamlDocument::NodeIndex base,
                                    YamlDocument::NodeIndex own);

}  // namespace highwater
