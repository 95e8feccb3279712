#include <string>

#include "sim/scenario/text/source_text.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

TEST_CASE("a byte order mark and any line ends leave places as they are", "[yaml]") {
    const std::string expected = "s.yaml:3:9: error: `x` is not allocated; allocate it first";
    CHECK(error_of("scenario: t\nsteps:\n- free: x\n") == expected);
    CHECK(error_of("\xEF\xBB\xBFscenario: t\nsteps:\n- free: x\n") == expected);
    CHECK(error_of("scenario: t\r\nsteps:\r\n- free: x\r\n") == expected);
    CHECK(error_of("scenario: t\rsteps:\r- free: x\r") == expected);
}

TEST_CASE("columns count characters, not bytes", "[yaml]") {
    CHECK(error_of("scenario: t\nsteps:\n- {checkpoint: c, when: '\"\xC3\xA9\" == z'}\n") ==
          "s.yaml:3:33: error: unknown name `z`; define it under `parameters`");
}

TEST_CASE("the place in a quoted text is inside its quotes", "[yaml]") {
    CHECK(error_of_steps("- alloc: {x: \"1 + z\"}\n") ==
          "s.yaml:5:19: error: unknown name `z`; did you mean `n`?");
    CHECK(error_of_steps("- alloc: {x: 1 + z}\n") ==
          "s.yaml:5:18: error: unknown name `z`; did you mean `n`?");
}

TEST_CASE("the place in a text that YAML changes is its beginning", "[yaml]") {
    CHECK(error_of_steps("- alloc: {x: \"1 \\x2B z\"}\n") ==
          "s.yaml:5:14: error: unknown name `z`; did you mean `n`?");
    CHECK(error_of_steps("- alloc:\n    x: >\n      1 +\n      z\n") ==
          "s.yaml:6:8: error: unknown name `z`; did you mean `n`?");
}

TEST_CASE("a key may not be there twice", "[yaml]") {
    CHECK(error_of("scenario: t\nsteps: []\nscenario: u\n") ==
          "s.yaml:3:1: error: the key `scenario` is here twice; keep one: the other is on line 1");
    CHECK(error_of_steps("- alloc: {x: 1, x: 2}\n") ==
          "s.yaml:5:17: error: the key `x` is here twice; keep one: the other is on line 5");
}

TEST_CASE("an alias stands for what it names", "[yaml]") {
    CHECK(ops_of_steps("- &s {checkpoint: c}\n- *s\n") == "checkpoint c\ncheckpoint c\n");
}

TEST_CASE("a merge key fills in what the map does not say itself", "[yaml]") {
    CHECK(ops_of(lowered("scenario: t\n"
                         "streams: {a: {}, b: {}}\n"
                         "steps:\n"
                         "- kernel: &base {stream: a}\n"
                         "- kernel: {<<: *base}\n"
                         "- kernel: {<<: *base, stream: b}\n"
                         "- kernel: {<<: [{reads: []}, *base]}\n")) ==
          "kernel on a\nkernel on a\nkernel on b\nkernel on a\n");
    CHECK(error_of_steps("- kernel: {<<: 3}\n") ==
          "s.yaml:5:16: error: `<<` of something that is not a map; let it name an anchor of a "
          "map, as in `<<: *base`");
}

TEST_CASE("an alias may not be part of itself", "[yaml]") {
    CHECK(error_of("scenario: t\nsteps: &a [{repeat: 1, do: *a}]\n") ==
          "s.yaml:2:28: error: an alias of what it is part of; let it name an anchor that has "
          "ended before");
}

TEST_CASE("aliases of aliases do not blow up", "[yaml]") {
    std::string bomb = "scenario: t\nsteps:\n- &a0 {repeat: 1, do: [sync]}\n";
    for (int i = 0; i < 40; ++i) {
        const std::string before = "*a" + std::to_string(i);
        bomb += "- &a" + std::to_string(i + 1) + " {repeat: 1, do: [" + before + ", " + before +
                ", " + before + "]}\n";
    }
    CHECK(error_of(bomb).find("error: the file is more than 250000 values, or 96 levels, with its "
                              "aliases followed; use loops and procedures") != std::string::npos);
}

TEST_CASE("aliases do not nest deeper than the file may", "[yaml]") {
    std::string tower = "scenario: t\nsteps:\n- &a0 {repeat: 1, do: [sync]}\n";
    for (int i = 0; i < 60; ++i) {
        tower +=
            "- &a" + std::to_string(i + 1) + " {repeat: 1, do: [*a" + std::to_string(i) + "]}\n";
    }
    CHECK(error_of(tower).find("96 levels") != std::string::npos);
}

TEST_CASE("YAML nests to a bound", "[yaml]") {
    const auto nested = [](std::size_t depth) {
        return error_of("scenario: t\nsteps: " + std::string(depth, '[') + std::string(depth, ']') +
                        "\n");
    };
    CHECK(nested(95).find("where a step should be") != std::string::npos);
    CHECK(nested(96).find("YAML nests deeper than 96") != std::string::npos);
    CHECK(nested(100'000).find("error: ") != std::string::npos);
}

TEST_CASE("what is not YAML is refused with its place", "[yaml]") {
    CHECK(error_of("scenario: [t\n").find("s.yaml:2:1: error: not YAML: ") == 0);
    CHECK(error_of("scenario: t: u\n").find("s.yaml:1:12: error: not YAML: ") == 0);
    CHECK(error_of("scenario: t\n\tsteps: []\n").find("s.yaml:") == 0);
}

TEST_CASE("an index without quotes inside braces is named", "[yaml]") {
    const auto [step, name] = GENERATE(table<std::string, std::string>({
        {"- alloc: {x[i]: 1 MiB}", "x[i]"},
        {"- alloc: {y: 1 MiB, temp_2[i + 1]: 1 MiB}", "temp_2[i + 1]"},
        {"- for: {i: 2}\n  do:\n  - alloc: {\"a[b\": 1, x[0]: 1}", "x[0]"},
    }));
    const std::string error = error_of_steps(step + "\n- sync\n");
    INFO(error);
    CHECK(error.find("not YAML: ") != std::string::npos);
    CHECK(error.ends_with("; inside { } write \"" + name + "\" in quotes"));
}

TEST_CASE("what is not YAML for other reasons is told nothing of indices", "[yaml]") {
    const auto step = GENERATE(as<std::string>{},
                               "- alloc: {\"x[i]\": 1",
                               "- alloc: {x: [1}",
                               "- alloc: x[i]: 1",
                               "- alloc: {'x[i]': 1]");
    const std::string error = error_of_steps(step + "\n");
    INFO(error);
    CHECK(error.find("not YAML: ") != std::string::npos);
    CHECK(error.find("inside { }") == std::string::npos);
}

TEST_CASE("what a scenario cannot mean is refused", "[yaml]") {
    const auto [text, error] = GENERATE(table<std::string, std::string>({
        {"", "s.yaml: error: the file is empty; write a scenario: `steps:` at the least"},
        {" \n\n", "s.yaml: error: the file is empty; write a scenario: `steps:` at the least"},
        {"# nothing\n",
         "s.yaml: error: the file is empty; write a scenario: `steps:` at the least"},
        {"- a\n", "s.yaml:1:1: error: a list where a scenario should be; write a scenario"},
        {"text\n", "s.yaml:1:1: error: a value where a scenario should be; write a scenario"},
        {"scenario: t\nsteps: []\n---\nscenario: u\n",
         "s.yaml:3:1: error: a second YAML document begins; keep one scenario in a file"},
        {"scenario: !!str t\nsteps: []\n",
         "s.yaml:1:11: error: the YAML tag `tag:yaml.org,2002:str`; remove it: kinds follow from "
         "where a value stands"},
        {"? [a]\n: b\n", "s.yaml:1:3: error: a key that is not a word; write `key: value`"},
        {"scenario: \xFF\n",
         "s.yaml:1:11: error: the byte 0xFF is not UTF-8; save the file as UTF-8"},
        {"a\n\xC3\xA9\xED\xA0\x80",
         "s.yaml:2:2: error: the byte 0xED is not UTF-8; save the file as UTF-8"},
        {"a: \xC0\x80", "s.yaml:1:4: error: the byte 0xC0 is not UTF-8; save the file as UTF-8"},
        {"a: \xF4\x90\x80\x80",
         "s.yaml:1:4: error: the byte 0xF4 is not UTF-8; save the file as UTF-8"},
        {"a: \xE2\x82", "s.yaml:1:4: error: the byte 0xE2 is not UTF-8; save the file as UTF-8"},
        {"\xFF\xFEs\x01", "s.yaml:1:1: error: the byte 0xFF is not UTF-8; save the file as UTF-8"},
        {"a: \x1B[31m",
         "s.yaml:1:4: error: the control character 0x1B; remove it, or save the file as UTF-8"},
    }));
    CHECK(error_of(text) == error);
    CHECK(error_of(std::string("a\0b", 3)) ==
          "s.yaml:1:2: error: the control character 0x00; remove it, or save the file as UTF-8");
}

TEST_CASE("a file has a greatest length", "[yaml]") {
    const std::string head = "scenario: t\nsteps: []\n#";
    CHECK(error_of(head + std::string(kMaxFileBytes - head.size(), 'x')) == "accepted");
    CHECK(error_of(head + std::string(kMaxFileBytes - head.size() + 1, 'x')) ==
          "s.yaml: error: the file has 1048577 bytes; keep a scenario within 1048576 bytes: use "
          "loops");
}
