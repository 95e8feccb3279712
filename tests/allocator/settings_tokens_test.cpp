#include "sim/allocator/settings_tokens.hpp"

#include <string>
#include <tuple>
#include <vector>

#include "tests/allocator/settings_support.hpp"
#include "tests/support/catch.hpp"

namespace highwater::settings_text {
namespace {

std::vector<std::string> words(std::string_view text) {
    const Tokens tokens(text);
    std::vector<std::string> result;
    for (std::size_t place = 0; place < tokens.size(); ++place) {
        result.push_back(tokens.at(place).text);
    }
    return result;
}

Value value(const std::string& text) {
    return {"key", {text, 0}};
}

template <typename Read>
Kind kind_refused(Read read) {
    try {
        read();
    } catch (const SettingsError& error) {
        return error.kind();
    }
    FAIL("nothing was refused");
    return Kind::kValueError;
}

TEST_CASE("each of , : [ ] is a token, and so is each run between them", "[settings]") {
    using Words = std::vector<std::string>;
    const auto [text, expected] = GENERATE(table<std::string, Words>({
        {"", {}},
        {"a", {"a"}},
        {"a:1,b:[c:2]", {"a", ":", "1", ",", "b", ":", "[", "c", ":", "2", "]"}},
        {",,", {",", ","}},
        {"[]", {"[", "]"}},
        {">:8", {">", ":", "8"}},
    }));
    CHECK(words(text) == expected);
}

TEST_CASE("white space is dropped, inside words too", "[settings]") {
    using Words = std::vector<std::string>;
    CHECK(words(" \t\n\v\f\r").empty());
    CHECK(words(" a b\t:\n6 4 ") == Words{"ab", ":", "64"});
    CHECK(words("\xC2\xA0") == Words{"\xC2\xA0"});
    CHECK(words(std::string("a\0b", 3)) == Words{std::string("a\0b", 3)});
}

TEST_CASE("a token's offset is where it starts in the text", "[settings]") {
    const Tokens tokens(" ab c:[d");
    CHECK(tokens.at(0) == Token{"abc", 1});
    CHECK(tokens.at(1) == Token{":", 5});
    CHECK(tokens.at(2) == Token{"[", 6});
    CHECK(tokens.at(3) == Token{"d", 7});
    CHECK(tokens.end() == Token{"", 8});
}

TEST_CASE("a place past the last token is refused as an internal assertion", "[settings]") {
    const Tokens tokens("a:");
    CHECK(tokens.at(1).text == ":");
    CHECK(kind_refused([&] { tokens.at(2); }) == Kind::kInternalAssert);
}

TEST_CASE("integers are read as std::stoull reads them", "[settings]") {
    const auto [text, expected] = GENERATE(table<std::string, std::uint64_t>({
        {"0", 0},
        {"20", 20},
        {"20MB", 20},
        {"20.9", 20},
        {"0x40", 0},
        {"010", 10},
        {"+5", 5},
        {"-0", 0},
        {"-1", UINT64_MAX},
        {"-18446744073709551615", 1},
        {"18446744073709551615", UINT64_MAX},
        {std::string("6\0004", 3), 6},
    }));
    CAPTURE(text);
    CHECK(value(text).to_integer() == expected);
}

TEST_CASE("text without leading digits is no integer", "[settings]") {
    const auto text =
        GENERATE(as<std::string>{}, "abc", "-", "+", "--5", "MB20", "[", "]", ":", ",");
    CHECK(kind_refused([&] { value(text).to_integer(); }) == Kind::kInvalidArgument);
}

TEST_CASE("integers of 2^64 and more are out of range, with a minus too", "[settings]") {
    const auto text = GENERATE(as<std::string>{},
                               "18446744073709551616",
                               "-18446744073709551616",
                               "1" + std::string(99, '0'));
    CHECK(kind_refused([&] { value(text).to_integer(); }) == Kind::kOutOfRange);
}

TEST_CASE("numbers are read as std::stod reads them", "[settings]") {
    const auto [text, expected] = GENERATE(table<std::string, double>({
        {"0.5", 0.5},
        {".5", 0.5},
        {"0.5x", 0.5},
        {"5e-1", 0.5},
        {"0x1p-1", 0.5},
        {"-1", -1},
        {"inf", std::numeric_limits<double>::infinity()},
    }));
    CAPTURE(text);
    CHECK(value(text).to_number() == expected);
}

TEST_CASE("nan is a number", "[settings]") {
    const double number = value("nan").to_number();
    CHECK(number != number);
}

TEST_CASE("text that starts no number is refused", "[settings]") {
    const auto text = GENERATE(as<std::string>{}, "x", "-", ".", "e5", "[");
    CHECK(kind_refused([&] { value(text).to_number(); }) == Kind::kInvalidArgument);
}

TEST_CASE("numbers too large or too small for a double are out of range", "[settings]") {
    const auto text = GENERATE(as<std::string>{}, "1e400", "1e-400", "1e-310");
    CHECK(kind_refused([&] { value(text).to_number(); }) == Kind::kOutOfRange);
}

TEST_CASE("only True and False are truth values", "[settings]") {
    CHECK(value("True").to_bool());
    CHECK_FALSE(value("False").to_bool());
    const auto text = GENERATE(as<std::string>{}, "true", "FALSE", "1", "0", "yes", "Truee", "[");
    CHECK(kind_refused([&] { value(text).to_bool(); }) == Kind::kValueError);
}

}  // namespace
}  // namespace highwater::settings_text
