#include "sim/scenario/text/extends.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

using Files = std::map<std::string, std::string>;

FileReader reader_of(const Files& files) {
    return [files](const std::string& path) {
        const auto found = files.find(path);
        if (found == files.end()) {
            throw InputError({path}, "the file cannot be read", "name one that exists");
        }
        return found->second;
    };
}

Program lowered_with(const Files& files, const std::string& file = "s.yaml") {
    const Scenario scenario = load_scenario(files.at(file), file, reader_of(files));
    return lower(scenario, resolve_parameters(scenario)).program;
}

std::string ops_with(const Files& files) {
    return ops_of(lowered_with(files));
}

std::string error_with(const Files& files, const std::string& file = "s.yaml") {
    try {
        lowered_with(files, file);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

const std::string kBase =
    "parameters: {n: 2, size: {default: 1, unit: MiB}}\n"
    "streams: {a: {}}\n"
    "steps:\n"
    "- alloc: {x: n * KiB}\n";

}  // namespace

TEST_CASE("a scenario takes over what it does not say itself", "[extends]") {
    CHECK(ops_with({{"s.yaml", "extends: base.yaml\nscenario: t\n"}, {"base.yaml", kBase}}) ==
          "alloc x 2048 on default\n");
}

TEST_CASE("maps are merged deeply, and the extending file wins", "[extends]") {
    const Files files{{"s.yaml",
                       "extends: base.yaml\n"
                       "scenario: t\n"
                       "parameters: {size: {default: 3}, more: n + 1}\n"
                       "steps:\n"
                       "- alloc: {y: size * more * KiB}\n"},
                      {"base.yaml", kBase}};
    CHECK(ops_with(files) == "alloc y 9216 on default\n");
    const Scenario scenario = load_scenario(files.at("s.yaml"), "s.yaml", reader_of(files));
    REQUIRE(scenario.parameters.size() == 3);
    CHECK(scenario.parameters[1].name.text == "size");
    CHECK(scenario.parameters[1].unit == "MiB");
    CHECK(scenario.streams.size() == 1);
}

TEST_CASE("of several bases the later one wins", "[extends]") {
    CHECK(ops_with({{"s.yaml", "extends: [a.yaml, b.yaml]\nscenario: t\nsteps: [alloc: {x: n}]\n"},
                    {"a.yaml", "parameters: {n: 1, m: 1}\n"},
                    {"b.yaml", "parameters: {n: 2}\n"}}) == "alloc x 2 on default\n");
}

TEST_CASE("paths are relative to the file that extends", "[extends]") {
    const Files files{{"here/s.yaml", "extends: ../there/mid.yaml\nscenario: t\n"},
                      {"there/mid.yaml", "extends: deep/base.yaml\n"},
                      {"there/deep/base.yaml", kBase}};
    CHECK(ops_of(lowered_with(files, "here/s.yaml")) == "alloc x 2048 on default\n");
}

TEST_CASE("an error in an inherited part names its file and the chain to it", "[extends]") {
    Files files{{"s.yaml", "scenario: t\nextends: mid.yaml\n"},
                {"mid.yaml", "# no more\n\nextends: base.yaml\n"},
                {"base.yaml", "steps:\n- aloc: {x: 1}\n"}};
    const std::string chain = " (extended by mid.yaml:3, by s.yaml:2); ";
    CHECK(error_with(files) ==
          "base.yaml:2:3: error: unknown step `aloc`" + chain + "did you mean `alloc`?");
    // Of the form, of YAML, of names, and when it is carried out.
    files["base.yaml"] = "- a\n";
    CHECK(error_with(files) ==
          "base.yaml:1:1: error: a list where a scenario should be" + chain + "write a scenario");
    files["base.yaml"] = "steps: [\n";
    CHECK(error_with(files).find("base.yaml:2:1: error: not YAML: ") == 0);
    CHECK(error_with(files).find(chain) != std::string::npos);
    files["base.yaml"] = "steps:\n- alloc: {x: n}\n";
    CHECK(error_with(files) ==
          "base.yaml:2:14: error: unknown name `n`" + chain + "define it under `parameters`");
    files["base.yaml"] = "steps:\n- free: x\n";
    CHECK(error_with(files).find("base.yaml:2:9: error: ") == 0);
    CHECK(error_with(files).find(chain) != std::string::npos);
    files["base.yaml"] = "parameters: {n: 1 // 0}\nsteps: []\n";
    CHECK(error_with(files).find("base.yaml:1:") == 0);
    CHECK(error_with(files).find(chain) != std::string::npos);
}

TEST_CASE("an error in the scenario itself has no chain", "[extends]") {
    CHECK(error_with({{"s.yaml", "extends: base.yaml\nscenario: t\nsteps:\n- alloc: {x: m}\n"},
                      {"base.yaml", kBase}}) ==
          "s.yaml:4:14: error: unknown name `m`; did you mean `n`?");
}

TEST_CASE("files that extend each other in a circle are refused", "[extends]") {
    CHECK(error_with({{"s.yaml", "extends: a.yaml\n"},
                      {"a.yaml", "extends: b.yaml\n"},
                      {"b.yaml", "extends: ./a.yaml\n"}}) ==
          "b.yaml:1:10: error: files extend each other in a circle: `a.yaml` extends `b.yaml` "
          "extends `a.yaml` (extended by a.yaml:1, by s.yaml:1); break it");
    CHECK(error_with({{"s.yaml", "extends: s.yaml\n"}}) ==
          "s.yaml:1:10: error: files extend each other in a circle: `s.yaml` extends `s.yaml`; "
          "break it");
}

TEST_CASE("what is extended must be there", "[extends]") {
    const auto [extends, error] = GENERATE(table<std::string, std::string>({
        {"no.yaml", "1:10: error: `no.yaml`: the file cannot be read; name one that exists"},
        {"models/lama-3-8b",
         "1:10: error: unknown preset `models/lama-3-8b`; did you mean `models/llama-3-8b`?; a "
         "file's name ends in `.yaml`"},
        {"", "1:8: error: nothing where a file or a preset should be; write a file or a preset"},
        {"{a: b}",
         "1:10: error: a map where a file or a preset should be; write a file or a preset"},
        {"''", "1:11: error: `` names neither a file nor a preset; write `extends: base.yaml`"},
        {"\"a\\nb.yaml\"",
         "1:10: error: `a b.yaml` names neither a file nor a preset; write `extends: base.yaml`"},
    }));
    CHECK(error_with({{"s.yaml", "extends: " + extends + "\nscenario: t\nsteps: []\n"}}) ==
          "s.yaml:" + error);
}

TEST_CASE("no file is read unless the edge of the program gives one", "[extends]") {
    CHECK(error_of("extends: base.yaml\nscenario: t\nsteps: []\n") ==
          "s.yaml:1:10: error: `base.yaml`: other files are not read here; extend a preset only");
}

TEST_CASE("files may extend each other sixteen deep", "[extends]") {
    const auto error = [](std::size_t depth) {
        Files files{{"s.yaml", "extends: f1.yaml\nscenario: t\nsteps: []\n"}};
        for (std::size_t i = 1; i < depth; ++i) {
            files[fmt::format("f{}.yaml", i)] = fmt::format("extends: f{}.yaml\n", i + 1);
        }
        files[fmt::format("f{}.yaml", depth)] = "parameters: {n: 1}\n";
        return error_with(files);
    };
    CHECK(error(kMaxExtendsDepth) == "accepted");
    CHECK(error(kMaxExtendsDepth + 1).find("files extend each other more than 16 deep") !=
          std::string::npos);
}

TEST_CASE("doubling chains and long files are refused before they take memory", "[extends]") {
    Files doubling{{"s.yaml", "extends: [f1.yaml, f1.yaml]\nscenario: t\nsteps: []\n"}};
    for (int i = 1; i < 15; ++i) {
        doubling[fmt::format("f{}.yaml", i)] =
            fmt::format("extends: [f{0}.yaml, f{0}.yaml]\n", i + 1);
    }
    doubling["f15.yaml"] = "parameters: {n: 1}\n";
    CHECK(error_with(doubling).find("more than 64 files") != std::string::npos);
    const Files long_ones{{"s.yaml", "extends: [a.yaml, a.yaml, a.yaml, a.yaml]\nscenario: t\n"},
                          {"a.yaml", "steps: []\n#" + std::string(1'000'000, 'x') + "\n"}};
    CHECK(error_with(long_ones).find("or 2097152 bytes") != std::string::npos);
}

TEST_CASE("aliases cannot make a merged scenario large", "[extends]") {
    std::string bomb = "procedures:\n  p0: &p0 {k: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\n";
    for (int i = 1; i < 5; ++i) {
        bomb += fmt::format("  p{0}: &p{0} {{a: *p{1}, b: *p{1}, c: *p{1}, d: *p{1}}}\n", i, i - 1);
    }
    const Files files{{"s.yaml", "extends: [a.yaml, b.yaml]\nscenario: t\nsteps: []\n"},
                      {"a.yaml", bomb},
                      {"b.yaml", bomb}};
    CHECK(error_with(files).find("unknown key") != std::string::npos);
    std::string list = "parameters: [1";
    for (int i = 0; i < 130'000; ++i) {
        list += ",1";
    }
    list += "]\n";
    std::string other = list;
    other.replace(0, std::string("parameters").size(), "streams");
    CHECK(error_with({{"s.yaml", "extends: [a.yaml, b.yaml]\nscenario: t\nsteps: []\n"},
                      {"a.yaml", list},
                      {"b.yaml", other}})
              .find("with what it extends this is more than 250000 values") != std::string::npos);
}
