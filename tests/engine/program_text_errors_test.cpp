#include <string>
#include <tuple>

#include "sim/engine/program_text.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// A Program's first lines; the line under test is the eighth.
constexpr const char* kBegin =
    "highwater-program 1\n"
    "machine total_memory 1024\n"
    "stream main handle 0\n"
    "tensor tmp\n"
    "event done\n"
    "graph g\n"
    "pool p\n";

std::string error_of(const std::string& text) {
    try {
        parse_program(text, "p.txt");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string error_of_line(const std::string& line) {
    return error_of(kBegin + line + "\n");
}

}  // namespace

TEST_CASE("a line that is not as it should be is refused with its place and a remedy",
          "[program_text]") {
    const auto [line, error] = GENERATE(table<std::string, std::string>({
        {"aloc tmp 1 on main", "p.txt:8:1: error: unknown operation `aloc`; did you mean `alloc`?"},
        {"tensr x", "p.txt:8:1: error: unknown operation `tensr`; did you mean `tensor`?"},
        {"  \"free\" tmp", "p.txt:8:3: error: unknown operation `free`; did you mean `free`?"},
        {"free tpm2",
         "p.txt:8:6: error: unknown tensor `tpm2`; declare it first with a line "
         "`tensor tpm2`"},
        {"free tmp0", "p.txt:8:6: error: unknown tensor `tmp0`; did you mean `tmp`?"},
        {"free main",
         "p.txt:8:6: error: unknown tensor `main`; declare it first with a line "
         "`tensor main`"},
        {"free", "p.txt:8:5: error: the line ends before the tensor's name; add it"},
        {"free tmp tmp",
         "p.txt:8:10: error: `tmp` is more than this line takes; end the line "
         "before it, or begin a comment with `#`"},
        {"alloc tmp on main",
         "p.txt:8:11: error: the size in bytes is not a number: `on`; write "
         "digits only"},
        {"alloc tmp -1 on main",
         "p.txt:8:11: error: the size in bytes is not a number: `-1`; "
         "write digits only"},
        {"alloc tmp 8MiB on main",
         "p.txt:8:11: error: the size in bytes is not a number: `8MiB`; "
         "write digits only"},
        {"alloc tmp 18446744073709551616 on main",
         "p.txt:8:11: error: the size in bytes is too large; it has to stay below 2^64"},
        {"alloc tmp 1 main", "p.txt:8:13: error: `main` stands where `on` should; write `on` here"},
        {"alloc tmp 1 \"on\" main",
         "p.txt:8:13: error: `on` stands where `on` should; write `on` here"},
        {"alloc tmp 1", "p.txt:8:12: error: the line ends before `on`; add it"},
        {"kernel on main reads tmp writes x",
         "p.txt:8:33: error: unknown tensor `x`; declare it first with a line `tensor x`"},
        {"kernel on main writes tmp reads tmp",
         "p.txt:8:27: error: unknown tensor `reads`; declare it first with a line `tensor "
         "\"reads\"`"},
        {"tensor tmp", "p.txt:8:8: error: tensor `tmp` is declared twice; give each its own name"},
        {"stream main handle 1",
         "p.txt:8:8: error: stream `main` is declared twice; give each its own name"},
        {"tensor \"\"", "p.txt:8:8: error: a tensor with an empty name; give it one"},
        {"stream s 0", "p.txt:8:10: error: `0` stands where `handle` should; write `handle` here"},
        {"stream s handle 0xg",
         "p.txt:8:17: error: the handle is not a number: `0xg`; write "
         "hexadecimal digits after 0x"},
        {"stream s handle 0x",
         "p.txt:8:17: error: the handle is not a number: `0x`; write "
         "hexadecimal digits after 0x"},
        {"machine total_memory 1",
         "p.txt:8:1: error: a second machine; leave one of the two lines"},
        {"checkpoint", "p.txt:8:11: error: the line ends before its text; add it"},
        {"checkpoint \"after",
         "p.txt:8:12: error: the quotes that open here do not end; close "
         "them on the same line"},
        {"checkpoint \"a\\q\"",
         "p.txt:8:14: error: unknown escape; there are \\\", \\\\, \\n, "
         "\\t and \\xHH"},
        {"checkpoint \"a\\",
         "p.txt:8:14: error: unknown escape; there are \\\", \\\\, \\n, \\t "
         "and \\xHH"},
        {"checkpoint \"\\x4\"",
         "p.txt:8:13: error: \\x stands before two hexadecimal digits; "
         "write \\x0a, for example"},
        {"checkpoint \\x41",
         "p.txt:8:12: error: this character cannot stand outside quotes; "
         "write the word in \"quotes\""},
        {"checkpoint a\"b\"",
         "p.txt:8:13: error: a word begins right after another; put a space "
         "between them"},
        {"checkpoint \"a\"b",
         "p.txt:8:15: error: a word begins right after another; put a space "
         "between them"},
    }));
    REQUIRE(error_of_line(line) == error);
}

TEST_CASE("an unknown operation that is near to none is answered with all there are",
          "[program_text]") {
    REQUIRE_THAT(error_of_line("teleport x"),
                 Catch::Matchers::StartsWith(
                     "p.txt:8:1: error: unknown operation `teleport`; there are alloc, "
                     "alloc_rest, free, weak_view, "
                     "record_stream, kernel, "));
}

TEST_CASE("a memory fraction is a number from 0 to 1", "[program_text]") {
    const auto fraction =
        GENERATE(as<std::string>{}, "1.0000001", "-0.1", "nan", "inf", "half", "0.5x");
    REQUIRE(error_of("highwater-program 1\nmachine total_memory 1 memory_fraction " + fraction) ==
            "p.txt:2:40: error: the fraction is not a number from 0 to 1: `" + fraction +
                "`; write one, for example 0.9");
}

TEST_CASE("a text that is no Program is refused at its first word", "[program_text]") {
    REQUIRE(error_of("") ==
            "p.txt:1:1: error: this is not the text of a Program: it is empty; begin it with "
            "`highwater-program 1`");
    REQUIRE(error_of("# nothing\n\n") ==
            "p.txt:3:1: error: this is not the text of a Program: it is empty; begin it with "
            "`highwater-program 1`");
    REQUIRE(error_of("\nscenario: aux\n") ==
            "p.txt:2:1: error: this is not the text of a Program; begin it with "
            "`highwater-program 1`");
    REQUIRE(error_of("highwater-program 2\n") ==
            "p.txt:1:19: error: this text has version `2` of the form; this highwater reads "
            "version 1");
    REQUIRE(error_of("highwater-program 1\n") ==
            "p.txt:2:1: error: the Program has no machine; add a line `machine total_memory "
            "BYTES`");
}

TEST_CASE("no prefix of a Program's text does anything but read or be refused", "[program_text]") {
    const std::string text =
        std::string(kBegin) + "kernel on main reads tmp writes tmp\ncheckpoint \"a\\x41\\n\"\n";
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        const std::string error = error_of(text.substr(0, length));
        REQUIRE((error == "no error" || error.find(": error: ") != std::string::npos));
    }
}
