#include <string>

#include "sim/core/error.hpp"
#include "sim/scenario/expression/formula.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// "COL: problem; remedy" of the expression's error.
std::string error_of(const std::string& text) {
    ParameterValues values;
    values.add("layers", std::int64_t{6});
    values.add("mode", std::string("shared"));
    try {
        evaluate(parse_formula({text, {"f", 1, 1}, true}), values);
        return "accepted";
    } catch (const InputError& error) {
        return std::to_string(error.place().column) + ": " + error.problem() + "; " +
               error.remedy();
    }
}

}  // namespace

TEST_CASE("an integer that does not fit 64 bits is refused at its operator", "[expression]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"9223372036854775807 + 1",
         "21: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"-9223372036854775807 - 2",
         "22: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"4294967296 * 4294967296",
         "12: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"(-9223372036854775807 - 1) // -1",
         "28: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"abs(-9223372036854775807 - 1)",
         "1: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"align(9223372036854775807, 512)",
         "1: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"1e308 * 10", "7: the result does not fit a real; make the numbers smaller"},
        {"99999999999 TiB",
         "1: the result does not fit a 64-bit integer; make the numbers smaller"},
        {"9223372036854775808",
         "1: `9223372036854775808` is not a number that fits; integers go up to 2^63 - 1"},
        {"1e999", "1: `1e999` is not a number that fits; integers go up to 2^63 - 1"},
    }));
    CHECK(error_of(text) == error);
}

TEST_CASE("what cannot be calculated is refused", "[expression]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"1 // 0", "3: a division by zero; make the divisor positive"},
        {"1 / 0.0", "3: a division by zero; make the divisor positive"},
        {"1 % 0", "3: a division by zero; make the divisor positive"},
        {"log2(0)", "1: `log2` of 0; give it a positive number"},
        {"align(8, 0)", "1: `align(8, 0)`; give it two integers, the step above 0"},
        {"ceil(1e300)",
         "1: `ceil` of 1e+300 is beyond what a real holds exactly; make the number smaller"},
        {"min()", "1: `min` takes 1 or more, not 0; give it as many"},
        {"align(1)", "1: `align` takes 2, not 1; give it as many"},
        {"abs(mode)", "1: `abs` of a text (`shared`); give it numbers"},
        {"if(1, 2, 3)", "4: a condition is an integer (`1`); compare it with something"},
        {"if(true, 2)", "1: `if` takes 3, not 2; write `if(condition, then, else)`"},
        {"mode == 1",
         "6: `==` between a text (`shared`) and an integer (`1`); compare like with like, and "
         "calculate with numbers only"},
        {"mode + 1",
         "6: `+` between a text (`shared`) and an integer (`1`); compare like with like, and "
         "calculate with numbers only"},
        {"\"a\" + \"b\"",
         "5: `+` between a text (`a`) and a text (`b`); compare like with like, and calculate with "
         "numbers only"},
        {"layers and true", "1: a condition is an integer (`6`); compare it with something"},
        {"layers[0]",
         "7: an index where a value should be; index streams, tensors, events, graphs and "
         "checkpoints only"},
        {"after.reserved_bytes",
         "6: `after.reserved_bytes` where only parameters are known; use figures of checkpoints "
         "under `measures`"},
        {"unique_addresses(a, b, c)",
         "1: `unique_addresses` is a measure of a tensor between two checkpoints; write "
         "`unique_addresses(tensor, before, after)` under `measures`"},
    }));
    CHECK(error_of(text) == error);
}

TEST_CASE("unknown names get the one that was meant", "[expression]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"2 * layer", "5: unknown name `layer`; did you mean `layers`?"},
        {"2 * unheard", "5: unknown name `unheard`; known are `layers`, `mode`"},
        {"cell(1)", "1: unknown function `cell`; did you mean `ceil`?"},
        {"8 MIB", "3: `MIB` is not a unit; did you mean `MiB`?"},
        {"8 bananas",
         "3: `bananas` is not a unit; known are `B`, `KiB`, `MiB`, `GiB`, `TiB`, `KB`, "
         "`MB`, `GB`, `TB`, `ns`, `us`, `ms`, ..."},
    }));
    CHECK(error_of(text) == error);
}

TEST_CASE("what is no expression is refused where it goes wrong", "[expression]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"",
         "1: the expression ends where a value should be; write a number, a name, a call or a "
         "bracket"},
        {"1 +",
         "4: the expression ends where a value should be; write a number, a name, a call or a "
         "bracket"},
        {"* 2",
         "1: `*` stands where a value should be; write a number, a name, a call or a bracket"},
        {"(1", "3: the expression ends where `)` should be; add it"},
        {"1 2",
         "3: `2` stands after the end of the expression; put an operator between, or drop it"},
        {"mode = 1", "6: `=` stands after the end of the expression; compare with `==`"},
        {"1 < 2 < 3", "7: comparisons do not chain; join two of them with `and`"},
        {"a[1", "4: the expression ends where `]` should be; add it"},
        {"a.1",
         "2: `.1` stands after the end of the expression; put an operator between, or drop it"},
        {"a.", "3: no field's name follows the dot; write `after.reserved_bytes`"},
        {"min(1 2)", "7: `2` stands where `,` should be; add it"},
        {"\"open", "1: the text that begins here does not end; close it with the same quote"},
        {"1 ^ 2",
         "3: `^` has no meaning in an expression; use + - * / // %, comparisons, and, or, not, "
         "calls and units"},
    }));
    CHECK(error_of(text) == error);
}

TEST_CASE("columns of an expression count characters, not bytes", "[expression]") {
    CHECK(error_of("\"\xC3\xA9\xE2\x82\xAC\" == unheard").substr(0, 3) == "9: ");
}

TEST_CASE("an expression has a greatest length and depth", "[expression]") {
    std::string sum = "1";
    while (sum.size() < 1'999) {
        sum += "+1";
    }
    CHECK(error_of(sum) == "accepted");
    CHECK(error_of(sum + "+1").find("the expression is 2001 characters long") != std::string::npos);
    CHECK(error_of(std::string(63, '(') + "1" + std::string(63, ')')) == "accepted");
    CHECK(error_of(std::string(64, '(') + "1" + std::string(64, ')')) ==
          "65: brackets nest deeper than 64; name parts of it as parameters");
    CHECK(error_of(std::string(1'900, '-') + "1").find("nest deeper") != std::string::npos);
    CHECK(error_of(std::string(1'900, '(')).find("nest deeper") != std::string::npos);
}
