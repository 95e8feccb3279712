#pragma once

#include "sim/scenario/text/yaml_document.hpp"

namespace highwater {

/// Replaces the entry `<<` of a map by the entries of the map, or list of maps, that it names.
/// Keys of the map's own win, then those of the earlier map. Throws `InputError`.
void carry_out_merge_keys(YamlDocument& document, YamlDocument::NodeIndex map);

}  // namespace highwater
