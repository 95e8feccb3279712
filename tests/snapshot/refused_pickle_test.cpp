#include <string>

#include "tests/snapshot/snapshot_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_pickle.hpp"

namespace highwater {
namespace {

using Catch::Matchers::ContainsSubstring;
using namespace std::string_literals;

TEST_CASE("a pickle that asks for code is refused with its byte and what it asks for", "[pickle]") {
    const auto [bytes, said] = GENERATE(table<std::string, std::string>({
        {"cos\nsystem\n(S'true'\ntR.", "byte 0: GLOBAL asks for Python's `os.system`"},
        {"\x80\x04\x8c\x02os\x8c\x06system\x93.", "byte 14: STACK_GLOBAL asks for more"},
        {"(S'true'\nios\nsystem\n.", "byte 9: INST asks for Python's `os.system`"},
        {"NR.", "byte 1: REDUCE"},
        {"}}b.", "byte 2: BUILD"},
        {"(No.", "byte 2: OBJ"},
        {"N)\x81.", "byte 2: NEWOBJ"},
        {"N)}\x92.", "byte 3: NEWOBJ_EX"},
        {"\x82\x01.", "byte 0: EXT1"},
        {"Pname\n.", "byte 0: PERSID"},
        {"NQ.", "byte 1: BINPERSID"},
        {"\x8f.", "byte 0: EMPTY_SET"},
        {"\x97.", "byte 0: NEXT_BUFFER"},
    }));
    CAPTURE(said);
    CHECK_THAT(error_of(bytes), ContainsSubstring("x.pickle: error: " + said));
    CHECK_THAT(error_of(bytes), ContainsSubstring("torch.cuda.memory._dump_snapshot"));
}

TEST_CASE("what is no pickle of a snapshot is refused", "[pickle]") {
    const auto [bytes, said] = GENERATE(table<std::string, std::string>({
        {"", "byte 0: the file is empty"},
        {"\x1f\x8b", "byte 0: 0x1f is no opcode"},
        {"{\"segments\": []}", "byte 0: 0x7b is no opcode"},
        {"\x80\x06}.", "byte 0: pickle protocol 6"},
        {"N.", "no memory snapshot"},
        {"}.", "no `segments`"},
        {"\x8c\x08segments.", "no memory snapshot"},
        {".", "byte 0: a value is used that is not there"},
        {"(.", "byte 1: a value is used that is not there"},
        {"u.", "a mark are used, and there is none"},
        {"((Ne.", "byte 3: items for a list, and there is none"},
        {"}(Ne.", "byte 3: items for a list that are given to something else"},
        {"}(Nu.", "byte 3: keys and values for a dict that are no pairs"},
        {"h\x05.", "byte 0: value number 5 is named before it is there"},
        {"Nr\xff\xff\xff\xff.", "byte 1: a value is to be kept as number 4294967295"},
        {"I12x\n.", "byte 0: an integer that is none"},
        {"F1.5.5\n.", "byte 0: a number that is none"},
        {"Sno quotes\n.", "byte 0: a string without its quotes"},
        {"V\\u12\n.", "byte 0: a string with half an escape"},
    }));
    CAPTURE(said);
    CHECK_THAT(error_of(bytes), ContainsSubstring(said));
}

TEST_CASE("a file that ends anywhere before its end is not complete", "[pickle]") {
    const std::string whole = recorded_snapshot("small.pickle");
    for (std::size_t size = 1; size < whole.size(); size += 977) {
        CHECK_THAT(error_of(whole.substr(0, size)),
                   ContainsSubstring("byte " + std::to_string(size) + ": the file ends here"));
    }
}

TEST_CASE("a length that the file does not have takes no memory", "[pickle]") {
    const auto [bytes, said] = GENERATE(table<std::string, std::string>({
        {"X\xff\xff\xff\xff", "byte 0: a string of 4294967295 bytes"},
        {"T\xff\xff\xff\xff", "byte 0: a string of 4294967295 bytes"},
        {"\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "byte 0: a string of 18446744073709551615 bytes"},
        {"X\x00\x00\x10\x00 only this"s, "byte 15: the file ends here"},
        {"B\xff\xff\xff\xff only this", "byte 15: the file ends here"},
        {"\x96\xff\xff\xff\xff\xff\xff\xff\xff", "byte 9: the file ends here"},
        {"\x8b\xff\xff\xff\xff only this", "byte 15: the file ends here"},
        {"\x95\xff\xff\xff\xff\xff\xff\xff\xff", "byte 9: the file ends here"},
    }));
    CAPTURE(said);
    CHECK_THAT(error_of(bytes), ContainsSubstring(said));
}

TEST_CASE("a list or dict that contains itself is refused", "[pickle]") {
    const std::string named = "h"s + '\0';
    const std::string bytes = GENERATE_COPY("]\x94" + named + "a.",
                                            "]\x94(" + named + "e.",
                                            "]\x94(](" + named + "eNe.",
                                            "}\x94(\x8c\x01x" + named + "u.",
                                            "}\x94(\x8c\x01x}(\x8c\x01y" + named + "uu.");
    const std::string error = error_of(bytes);
    CHECK_THAT(error, ContainsSubstring("contains itself"));
}

TEST_CASE("lists may be nested, but not without end", "[pickle]") {
    const auto nested = [](std::size_t levels) {
        return "}(\x8c\x05other" + std::string(levels, ']') + "N" + std::string(levels, 'a') +
               "\x8c\x08segments]u.";
    };
    CHECK(error_of(nested(60)).empty());
    CHECK_THAT(error_of(nested(100)), ContainsSubstring("nested more than 64 deep"));
    CHECK_THAT(error_of(nested(1'000'000)), ContainsSubstring("nested too deeply"));
}

TEST_CASE("an event, block or segment stands in one place", "[pickle]") {
    const std::string block =
        RawPickle().begin_dict().entry("size", 512).entry("state", "inactive").end_dict().bytes();
    CHECK_THAT(error_of("](" + block + "2e."), ContainsSubstring("two places"));
    CHECK_THAT(error_of("](" + block +
                        "q\x01h\x01"
                        "e."),
               ContainsSubstring("two places"));
    CHECK_THAT(error_of("](" + block + "Ne."), ContainsSubstring("with something else"));
}

}  // namespace
}  // namespace highwater
