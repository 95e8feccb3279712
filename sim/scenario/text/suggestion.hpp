#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// What to do about `wrong`: "did you mean `steps`?" if one of `known` is near or begins with
/// it, else "known are
/// `a`, `b`". With nothing known, `otherwise`.
std::string suggestion(std::string_view wrong,
                       const std::vector<std::string>& known,
                       std::string_view otherwise);

/// A piece of the user's text for a message: cut when long, on one line.
std::string quoted(std::string_view text);
/// Better matches for a string than `std::quoted`, which a call without a namespace finds too.
inline std::string quoted(const std::string& text) {
    return quoted(std::string_view(text));
}
inline std::string quoted(std::string& text) {
    return quoted(std::string_view(text));
}

/// Whether `name` is one of `names`.
bool contains(const std::vector<std::string>& names, std::string_view name);

}  // namespace highwater
