#include "sim/cli/number_option.hpp"

#include <charconv>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

std::int64_t end_of_range(const std::string& text,
                          const std::string& option,
                          const std::string& remedy) {
    const std::optional<std::int64_t> number = whole_number(text);
    if (!number) {
        throw InputError(
            {option}, fmt::format("`{}` where a whole number should be", quoted(text)), remedy);
    }
    return *number;
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

plan::ParameterRange parse_range(const std::string& text,
                                 const std::string& option,
                                 const std::string& remedy) {
    const std::size_t equals = text.find('=');
    const std::size_t dots = text.find("..");
    if (equals == std::string::npos || equals == 0 || dots == std::string::npos || dots < equals) {
        throw InputError(
            {option}, fmt::format("`{}` is no range of a parameter", quoted(text)), remedy);
    }
    return {text.substr(0, equals),
            end_of_range(text.substr(equals + 1, dots - equals - 1), option, remedy),
            end_of_range(text.substr(dots + 2), option, remedy)};
}

}  // namespace highwater
