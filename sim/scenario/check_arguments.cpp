#include "sim/scenario/check_arguments.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/scenario/suggestion.hpp"

namespace highwater {

void require_arguments(const Arguments& arguments,
                       const std::vector<PlacedText>& parameters,
                       const PlacedText& callee) {
    std::vector<std::string> known;
    for (const PlacedText& parameter : parameters) {
        known.push_back(parameter.text);
    }
    for (const auto& [name, value] : arguments) {
        if (std::find(known.begin(), known.end(), name.text) == known.end()) {
            throw InputError(
                name.place,
                fmt::format("`{}` has no parameter `{}`", callee.text, quoted(name.text)),
                suggestion(name.text, known, "remove it"));
        }
    }
    for (const std::string& parameter : known) {
        const bool is_given =
            std::any_of(arguments.begin(), arguments.end(), [&](const auto& each) {
                return each.first.text == parameter;
            });
        if (!is_given) {
            throw InputError(callee.place,
                             fmt::format("the call of `{}` lacks `{}`", callee.text, parameter),
                             fmt::format("add `with: {{{}: ...}}`", parameter));
        }
    }
}

}  // namespace highwater
