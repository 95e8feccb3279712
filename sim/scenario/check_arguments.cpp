#include "sim/scenario/check_arguments.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/scenario/suggestion.hpp"

namespace highwater {

// Each argument by itself, so that a wrong one hides nothing.
void require_arguments(const Arguments& arguments,
                       const std::vector<PlacedText>& parameters,
                       const PlacedText& callee,
                       Problems& problems) {
    std::vector<std::string> known;
    for (const PlacedText& parameter : parameters) {
        known.push_back(parameter.text);
    }
    for (const auto& argument : arguments) {
        const PlacedText& name = argument.first;
        if (std::find(known.begin(), known.end(), name.text) == known.end()) {
            problems.attempt([&] {
                throw InputError(
                    name.place,
                    fmt::format("`{}` has no parameter `{}`", callee.text, quoted(name.text)),
                    suggestion(name.text, known, "remove it"));
            });
        }
    }
    for (const std::string& parameter : known) {
        const bool is_given =
            std::any_of(arguments.begin(), arguments.end(), [&](const auto& each) {
                return each.first.text == parameter;
            });
        if (!is_given && arguments.size() < known.size()) {
            problems.attempt([&] {
                throw InputError(callee.place,
                                 fmt::format("the call of `{}` lacks `{}`", callee.text, parameter),
                                 fmt::format("add `with: {{{}: ...}}`", parameter));
            });
        }
    }
}

}  // namespace highwater
