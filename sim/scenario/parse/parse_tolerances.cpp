#include <cmath>

#include <fmt/format.h>

#include "sim/scenario/parse/language.hpp"
#include "sim/scenario/parse/parse_parts.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::parse {
namespace {

[[noreturn]] void refuse_tolerance(const PlacedText& text, const std::string& remedy) {
    throw InputError(
        text.place, fmt::format("`{}` where a tolerance should be", quoted(text.text)), remedy);
}

double share(const YamlReader& value) {
    const PlacedText& text = value.scalar("a share of what was measured");
    const Value number = literal(text);
    if (!is_number(number) || !std::isfinite(as_real(number)) || as_real(number) < 0) {
        refuse_tolerance(text, "give a share of what was measured: `0.3` for 30 %");
    }
    return as_real(number);
}

Bytes size(const YamlReader& value) {
    const PlacedText& text = value.scalar("a size");
    const Value number = literal(text);
    const auto* const whole = std::get_if<std::int64_t>(&number);
    if (whole == nullptr || *whole < 0) {
        refuse_tolerance(text, "give a size: `64 MiB`");
    }
    return Bytes{static_cast<std::uint64_t>(*whole)};
}

}  // namespace

StatedTolerances tolerances(const YamlReader& map) {
    map.require_keys(language::tolerances());
    StatedTolerances made;
    if (const auto time = map.find("time")) {
        made.time = share(*time);
    }
    if (const auto driver = map.find("driver")) {
        made.driver = size(*driver);
    }
    return made;
}

}  // namespace highwater::parse
