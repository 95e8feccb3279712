#include "sim/scenario/check/check_arguments.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

[[noreturn]] void refuse_argument(const PlacedText& name,
                                  const std::vector<std::string>& known,
                                  const PlacedText& callee) {
    throw InputError(name.place,
                     fmt::format("`{}` has no parameter `{}`", callee.text, quoted(name.text)),
                     suggestion(name.text, known, "remove it"));
}

}  // namespace

void require_arguments(const Arguments& arguments,
                       const std::vector<PlacedText>& parameters,
                       const PlacedText& callee,
                       Problems& problems) {
    std::vector<std::string> known;
    for (const PlacedText& parameter : parameters) {
        known.push_back(parameter.text);
    }
    for (const auto& [name, value] : arguments) {
        if (std::find(known.begin(), known.end(), name.text) == known.end()) {
            problems.attempt([&, &name = name] { refuse_argument(name, known, callee); });
        }
    }
    for (const std::string& parameter : known) {
        const bool is_given =
            std::any_of(arguments.begin(), arguments.end(), [&](const auto& each) {
                return each.first.text == parameter;
            });
        // With as many arguments as parameters it is there by another name.
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
