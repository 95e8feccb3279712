#include "sim/cli/size_option.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {

Bytes parse_size(const std::string& text, const std::string& option) {
    constexpr double kMost = 0x1p62;
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    std::string_view rest(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::optional<Unit> unit = rest.empty() ? find_unit("B") : find_unit(rest);
    // Nobody means bytes by a few of them.
    constexpr double kFewBytes = 0x1p20;
    const bool is_size = end != text.c_str() && unit && unit->measures == Unit::Measures::kBytes;
    const double bytes = is_size ? number * static_cast<double>(unit->count) : 0;
    if (!(bytes >= 1 && bytes < kMost) || (rest.empty() && bytes < kFewBytes)) {
        throw InputError({option},
                         fmt::format("`{}` is no size", highwater::quoted(text)),
                         "write a number and its unit, as 80GiB");
    }
    return Bytes{static_cast<std::uint64_t>(bytes)};
}

}  // namespace highwater
