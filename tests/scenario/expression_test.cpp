#include <string>

#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/expression/expression_evaluate.hpp"
#include "sim/scenario/expression/expression_parser.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// "integer 8", "real 0.5", "boolean true", "text per-layer".
std::string value_of(const std::string& text) {
    ParameterValues values;
    values.add("n", std::int64_t{6});
    values.add("half", 0.5);
    values.add("mode", std::string("shared"));
    values.add("fast", true);
    const Value value = evaluate(parse_expression(text), values);
    const std::string kind(kind_of(value));
    return kind.substr(kind.find(' ') + 1) + " " + to_text(value);
}

}  // namespace

TEST_CASE("integers stay exact where a real would round", "[expression]") {
    CHECK(value_of("9007199254740993 + 2") == "integer 9007199254740995");
    CHECK(value_of("9223372036854775807") == "integer 9223372036854775807");
    CHECK(value_of("-9223372036854775807 - 1") == "integer -9223372036854775808");
    CHECK(value_of("3037000499 * 3037000499") == "integer 9223372030926249001");
}

TEST_CASE("a division gives an integer only where it divides exactly", "[expression]") {
    CHECK(value_of("8 / 4") == "integer 2");
    CHECK(value_of("7 / 2") == "real 3.5");
    CHECK(value_of("9007199254740994 / 2") == "integer 4503599627370497");
}

TEST_CASE("// and % round down, as in Python", "[expression]") {
    const auto [text, value] = GENERATE(table<std::string, std::string>({
        {"7 // 2", "integer 3"},
        {"-7 // 2", "integer -4"},
        {"7 // -2", "integer -4"},
        {"-8 // 2", "integer -4"},
        {"7 % 3", "integer 1"},
        {"-7 % 3", "integer 2"},
        {"7 % -3", "integer -2"},
        {"-6 % 3", "integer 0"},
        {"7.5 // 2", "real 3"},
        {"-7.5 % 2", "real 0.5"},
    }));
    CHECK(value_of(text) == value);
}

TEST_CASE("operators bind as in Python", "[expression]") {
    const auto [text, value] = GENERATE(table<std::string, std::string>({
        {"2 + 3 * 4", "integer 14"},
        {"(2 + 3) * 4", "integer 20"},
        {"10 - 3 - 2", "integer 5"},
        {"100 // 5 * 2", "integer 40"},
        {"-2 * 3", "integer -6"},
        {"- - 2", "integer 2"},
        {"2 * -3", "integer -6"},
        {"1 + 1 == 2 and 2 < 3", "boolean true"},
        {"not 1 == 2", "boolean true"},
        {"not fast or fast", "boolean true"},
        {"not (fast or fast)", "boolean false"},
        {"1 < 2 or 1 // 0 == 1", "boolean true"},
        {"false && 1 // 0 == 1", "boolean false"},
        {"!false || false", "boolean true"},
        {"2 <= 2 and 2 >= 2 and 1 != 2 and 3 > 2", "boolean true"},
    }));
    CHECK(value_of(text) == value);
}

TEST_CASE("a unit makes a size of a number, with or without a space", "[expression]") {
    const auto [text, value] = GENERATE(table<std::string, std::string>({
        {"8 B", "integer 8"},
        {"8KiB", "integer 8192"},
        {"8 MiB", "integer 8388608"},
        {"8 GiB", "integer 8589934592"},
        {"2 TiB", "integer 2199023255552"},
        {"1 KB", "integer 1000"},
        {"1 MB", "integer 1000000"},
        {"1 GB", "integer 1000000000"},
        {"0.5 GiB", "integer 536870912"},
        {"0.1 KiB", "real 102.4"},
        {"n * MiB", "integer 6291456"},
        {"half * MiB", "real 524288"},
        {"2 * 8 MiB", "integer 16777216"},
        {"-1 KiB", "integer -1024"},
    }));
    CHECK(value_of(text) == value);
}

TEST_CASE("a unit of time makes nanoseconds of a number", "[expression]") {
    const auto [text, value] = GENERATE(table<std::string, std::string>({
        {"8 ns", "integer 8"},
        {"8us", "integer 8000"},
        {"0.37 us", "integer 370"},
        {"2.5 ms", "integer 2500000"},
        {"3 s", "integer 3000000000"},
        {"0.3 ns", "real 0.3"},
        {"n * us", "integer 6000"},
        {"n * ms + 1 ns", "integer 6000001"},
        {"n * 1 s", "integer 6000000000"},
    }));
    CHECK(value_of(text) == value);
}

TEST_CASE("a lone s is a name, not a second", "[expression]") {
    ParameterValues values;
    values.add("s", std::int64_t{6});
    CHECK(to_text(evaluate(parse_expression("2 * s + 1 s"), values)) == "1000000012");
    CHECK_THROWS_AS(value_of("2 * s"), ExpressionError);
}

TEST_CASE("the functions give what their names say", "[expression]") {
    const auto [text, value] = GENERATE(table<std::string, std::string>({
        {"min(3, 1, 2)", "integer 1"},
        {"max(3, 4.5)", "real 4.5"},
        {"max(7)", "integer 7"},
        {"ceil(7 / 2)", "integer 4"},
        {"floor(7 / 2)", "integer 3"},
        {"ceil(-3.5)", "integer -3"},
        {"floor(-3.5)", "integer -4"},
        {"ceil(9007199254740993)", "integer 9007199254740993"},
        {"abs(-3)", "integer 3"},
        {"abs(-0.5)", "real 0.5"},
        {"log2(64)", "integer 6"},
        {"log2(1)", "integer 0"},
        {"log2(0.5)", "real -1"},
        {"align(0, 512)", "integer 0"},
        {"align(1, 512)", "integer 512"},
        {"align(512, 512)", "integer 512"},
        {"align(513, 512)", "integer 1024"},
        {"align(half * 4, 8)", "integer 8"},
        {"if(n > 5, 10, 20)", "integer 10"},
        {"if(n > 6, 10, 20)", "integer 20"},
        {"if(n == 6, 1, 1 // 0)", "integer 1"},
        {"if(mode == \"shared\", 1, n)", "integer 1"},
        {"if(mode == 'per-layer', 1, n)", "integer 6"},
    }));
    CHECK(value_of(text) == value);
}

TEST_CASE("numbers compare by value, texts by their bytes", "[expression]") {
    CHECK(value_of("1 == 1.0") == "boolean true");
    CHECK(value_of("9007199254740993 == 9007199254740992") == "boolean false");
    CHECK(value_of("\"a\" < \"b\"") == "boolean true");
    CHECK(value_of("fast == true") == "boolean true");
}

TEST_CASE("numbers are written with a fraction or an exponent, too", "[expression]") {
    CHECK(value_of("1e3") == "real 1000");
    CHECK(value_of("2.5e-1") == "real 0.25");
    CHECK(value_of(".5") == "real 0.5");
    CHECK(value_of("1.") == "real 1");
}

TEST_CASE("a reference spells its name with its indices", "[expression]") {
    ParameterValues values;
    values.add("i", std::int64_t{3});
    const auto name = [&](const char* text) {
        return evaluate_name(parse_expression(text), values);
    };
    CHECK(name("x") == "x");
    CHECK(name("aux[i]") == "aux[3]");
    CHECK(name("kv[i % 2][i + 1]") == "kv[1][4]");
    CHECK(name("aux[4 / 2]") == "aux[2]");
}
