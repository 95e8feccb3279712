#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The candidate that is most likely meant by a misspelt `name`: the one fewest edits away, the
/// first of several. None if even that one is too far to be a slip.
std::optional<std::string_view> closest_name(std::string_view name,
                                             const std::vector<std::string_view>& candidates);

/// "did you mean `tmp`?", or, with nothing close, `otherwise`.
std::string did_you_mean(std::string_view name,
                         const std::vector<std::string_view>& candidates,
                         std::string_view otherwise);

}  // namespace highwater
