#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/replay.hpp"

namespace highwater {

/// Which stream each stream's requests go to, by number, as `text` says: rules with commas between
/// them, later ones over earlier ones. A rule is WHICH=TARGET. WHICH is `side` (every stream but
/// the default one and the busiest), `all`, a name (`default`, `s1`, ...), a range (`s3-s8`) or a
/// handle; TARGET is `one` (the first of them), a name or a handle, or `own` (as recorded). Throws
/// `InputError` with `option` as its place.
std::vector<StreamId> stream_map(const std::string& text,
                                 const RecordedHistory& recorded,
                                 const std::string& option);

}  // namespace highwater
