#include "sim/scenario/facts/quantities.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_tokens.hpp"
#include "sim/scenario/expression/formula.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater::quantity {
namespace {

constexpr Duration kMostTime = std::chrono::seconds{1'000};

struct Kind {
    std::string_view what;
    std::string_view remedy;
    /// None: a plain number.
    std::optional<Unit::Measures> measures;
};

constexpr Kind kTime{"a time", "write it as `0.37 us`", Unit::Measures::kNanoseconds};
constexpr Kind kSize{"a size", "write it as `2 MiB`", Unit::Measures::kBytes};
constexpr Kind kNumber{"a number", "write it as `0.15` or `55e9`", std::nullopt};

[[noreturn]] void refuse(const PlacedText& text, const Kind& kind) {
    throw InputError(text.place,
                     fmt::format("`{}` where {} should be", quoted(text.text), kind.what),
                     std::string(kind.remedy));
}

std::vector<Token> tokens_of(const PlacedText& text) {
    try {
        return tokenize(text.text);
    } catch (const ExpressionError& error) {
        throw InputError(text.at(error.offset()), error.what(), error.remedy());
    }
}

// What a number is multiplied by: 1 for a plain one, which of sizes and times is only 0.
std::optional<std::int64_t> unit_of(const std::vector<Token>& tokens, const Kind& kind) {
    constexpr std::size_t kNumberAndEnd = 2;
    if (tokens.size() == kNumberAndEnd) {
        const bool may_be_plain = !kind.measures || as_real(tokens[0].value) == 0;
        return may_be_plain ? std::optional<std::int64_t>(1) : std::nullopt;
    }
    const std::optional<Unit> unit = find_unit(tokens[1].text);
    const bool fits = tokens.size() == kNumberAndEnd + 1 && unit && unit->measures == kind.measures;
    return fits ? std::optional<std::int64_t>(unit->count) : std::nullopt;
}

double amount(const PlacedText& text, const Kind& kind) {
    const std::vector<Token> tokens = tokens_of(text);
    if (tokens.front().kind == Token::Kind::kSymbol && tokens.front().text == "-") {
        throw InputError(
            text.place, fmt::format("`{}` is below 0", quoted(text.text)), "make it 0 or more");
    }
    const bool begins_well =
        tokens.front().kind == Token::Kind::kLiteral && is_number(tokens.front().value);
    const std::optional<std::int64_t> unit = begins_well ? unit_of(tokens, kind) : std::nullopt;
    if (!unit) {
        refuse(text, kind);
    }
    return as_real(tokens.front().value) * static_cast<double>(*unit);
}

void require_most(const PlacedText& text, double value, double most, std::string_view bound) {
    if (value > most) {
        throw InputError(text.place,
                         fmt::format("`{}` is too much", quoted(text.text)),
                         fmt::format("keep it within {}", bound));
    }
}

// A size, or a plain count.
std::uint64_t position(const PlacedText& text) {
    const std::vector<Token> tokens = tokens_of(text);
    constexpr std::size_t kNumberAndEnd = 2;
    if (tokens.size() != kNumberAndEnd || !is_number(tokens.front().value)) {
        return size(text).count;
    }
    const std::optional<std::int64_t> count = whole_number(tokens.front().value);
    if (!count) {
        refuse(text, {"a size or a count", "write it as `2 MiB` or `100`", std::nullopt});
    }
    return static_cast<std::uint64_t>(*count);
}

}  // namespace

Duration time(const PlacedText& text) {
    const double nanoseconds = amount(text, kTime);
    require_most(text, nanoseconds, static_cast<double>(kMostTime.count()), "1000 s");
    return Duration{std::llround(nanoseconds)};
}

Bytes size(const PlacedText& text) {
    const double bytes = amount(text, kSize);
    require_most(text, bytes, static_cast<double>(kMaxSize.count), "1024 TiB");
    if (bytes != std::floor(bytes)) {
        throw InputError(text.place,
                         fmt::format("`{}` is not a whole number of bytes", quoted(text.text)),
                         "write it in a smaller unit");
    }
    return Bytes{static_cast<std::uint64_t>(bytes)};
}

double number(const PlacedText& text) {
    return amount(text, kNumber);
}

CostCurve curve(const YamlReader& map) {
    CostCurve made;
    for (const YamlReader::Entry& entry : map.few_entries("a map of times by size or count")) {
        const CostCurve::Point point{position(entry.key), time(entry.value.scalar("a time"))};
        if (!made.points.empty() && point.at <= made.points.back().at) {
            throw InputError(entry.key.place,
                             fmt::format("`{}` does not rise", quoted(entry.key.text)),
                             "write the points by rising size or count");
        }
        made.points.push_back(point);
    }
    if (made.points.empty()) {
        throw InputError(map.place(), "no points", "write at least one, as in `{1: 5 us}`");
    }
    return made;
}

}  // namespace highwater::quantity
