#include "sim/scenario/lower/parameters.hpp"

#include <string>

#include "sim/scenario/load_scenario.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

const std::string kParameters =
    "scenario: t\n"
    "parameters:\n"
    "  layers: 32\n"
    "  temp: 8 MiB\n"
    "  mode: {default: per-layer, choices: [per-layer, shared]}\n"
    "  fast: true\n"
    "  heads: {default: 8, type: integer, min: 1, max: layers * 2, unit: heads}\n"
    "  label: {default: 2 * layers, type: text, description: never calculated}\n"
    "  total: layers * temp\n"
    "  bucket: {default: 16, choices: [8, 16, 32 MiB]}\n"
    "steps: []\n";

// "layers=32 temp=8388608 ...".
std::string values_with(const std::vector<Override>& overrides) {
    const ParameterValues values =
        resolve_parameters(load_scenario(kParameters, "s.yaml"), overrides);
    std::string text;
    for (const auto& [name, value] : values.all()) {
        text += (text.empty() ? "" : " ") + name + "=" + to_text(value);
    }
    return text;
}

}  // namespace

TEST_CASE("a default is a number, a size, a choice, a text, or made of those before it",
          "[parameters]") {
    CHECK(values_with({}) ==
          "layers=32 temp=8388608 mode=per-layer fast=true heads=8 label=2 * layers "
          "total=268435456 bucket=16");
}

TEST_CASE("an override changes what is made of it", "[parameters]") {
    CHECK(values_with({{"layers", "4"}, {"temp", "0.5MiB"}, {"mode", "shared"}}) ==
          "layers=4 temp=524288 mode=shared fast=true heads=8 label=2 * layers total=2097152 "
          "bucket=16");
}

TEST_CASE("an override may be an expression, and the last of one name wins", "[parameters]") {
    const std::string values = values_with({{"layers", "3"},
                                            {"layers", "2 * 8"},
                                            {"total", "layers + 1"},
                                            {"fast", "false"},
                                            {"label", "layers"},
                                            {"bucket", "32 MiB"}});
    CHECK(values ==
          "layers=16 temp=8388608 mode=per-layer fast=false heads=8 label=layers "
          "total=17 bucket=33554432");
}

TEST_CASE("an integer's override may be a real without a fraction", "[parameters]") {
    CHECK(values_with({{"heads", "4.0"}}).find("heads=4 ") != std::string::npos);
}

TEST_CASE("a bad override is refused", "[parameters]") {
    const auto [name, value, error] = GENERATE(table<std::string, std::string, std::string>({
        {"layer", "2", "`layer` is no parameter of s.yaml; did you mean `layers`?"},
        {"mode", "none", "`mode` is `none`; choose one of `per-layer`, `shared`"},
        {"bucket", "9", "`bucket` is `9`; choose one of `8`, `16`, `33554432`"},
        {"heads", "2.5", "`heads` is a real (`2.5`); give it an integer"},
        {"heads", "0", "`heads` is 0; keep it at 1 or more"},
        {"heads", "65", "`heads` is 65; keep it at 64 or less"},
        {"layers", "true", "`layers` is a boolean (`true`); give it a number"},
        {"fast", "1", "`fast` is an integer (`1`); give it true or false"},
        {"layers", "8 Mb", "`layers=8 Mb`: `Mb` is not a unit; did you mean `MB`?"},
        {"layers", "total", "`layers=total`: unknown name `total`; give it a number"},
        {"heads", "many", "`heads=many`: unknown name `many`; give it an integer"},
        {"total", "layer", "`total=layer`: unknown name `layer`; did you mean `layers`?"},
        {"bucket",
         "small",
         "`bucket=small`: unknown name `small`; choose one of `8`, `16`, `33554432`"},
        {"fast", "False", "`fast=False`: unknown name `False`; did you mean `false`?"},
        {"fast", "yes", "`fast=yes`: unknown name `yes`; give it true or false"},
        {"layers",
         "",
         "`layers=`: the expression ends where a value should be; write a number, a "
         "name, a call or a bracket"},
    }));
    CHECK(error_of(kParameters, {{name, value}}) == "--set: error: " + error);
}

TEST_CASE("a parameter whose default is a plain number takes no unit", "[parameters]") {
    const auto error = [](const std::string& parameter, const std::string& value) {
        const std::size_t colon = parameter.find(':');
        return error_of("scenario: t\nparameters: {" + parameter + "}\nsteps: []\n",
                        {{parameter.substr(0, colon), value}});
    };
    CHECK(error("layers: 4", "24MiB") ==
          "--set: error: `layers` has no unit in the scenario, and `24MiB` has one; write a plain "
          "number, or give the parameter's default a unit");
    CHECK(error("layers: {default: 4}", "3 us").find("has no unit") != std::string::npos);
    CHECK(error("layers: 4", "24") == "accepted");
    CHECK(error("layers: 4", "48 * 2") == "accepted");
    CHECK(error("layers: 4", "4096 / KiB") == "accepted");
    CHECK(error("buffer: 4 MiB", "24MiB") == "accepted");
    CHECK(error("layer_bytes: 4096", "24MiB") == "accepted");
}

TEST_CASE("a parameter with a unit is a plain number of it", "[parameters]") {
    const auto [value, remedy] = GENERATE(table<std::string, std::string>({
        {"8MiB", "write 8"},
        {"8 MiB", "write 8"},
        {"1.5GiB", "write 1536"},
        {"512 KiB", "write 0.5"},
        {"2 * 4 MiB", "write it without units"},
        {"8 * MiB", "write it without units"},
    }));
    const auto text = [](const std::string& parameter) {
        return "scenario: t\nparameters:\n  temp_mib: " + parameter + "\nsteps: []\n";
    };
    const std::string error = "error: `temp_mib` is in MiB; " + remedy;
    CHECK(error_of(text("{default: 8, unit: MiB}"), {{"temp_mib", value}}) == "--set: " + error);
    CHECK(error_of(text("{default: " + value + ", unit: MiB}")) == "s.yaml:3:23: " + error);
    CHECK(error_of(text("{max: " + value + ", default: 8, unit: MiB}")) == "s.yaml:3:19: " + error);
    CHECK(error_of(text("{choices: [" + value + "], default: 8, unit: MiB}")) ==
          "s.yaml:3:24: " + error);
    CHECK(error_of(text("{default: 8, unit: bytes}"), {{"temp_mib", value}}) == "accepted");
    CHECK(error_of(text("{default: 8, unit: MiB}"), {{"temp_mib", "2 * 8"}}) == "accepted");
    CHECK(error_of(text("{default: 8, unit: MiB}"), {{"temp_mib", "4096 / MiB"}}) == "accepted");
    CHECK(error_of(text("{default: 8 MiB, unit: MiB, type: text}")) == "accepted");
}

TEST_CASE("a size for a parameter in another unit is refused", "[parameters]") {
    CHECK(error_of(kParameters, {{"heads", "8 MiB"}}) ==
          "--set: error: `heads` is in heads; write 8");
}

TEST_CASE("a parameter with a unit of time is a plain number of it, too", "[parameters]") {
    const auto [value, answer] = GENERATE(table<std::string, std::string>({
        {"8 us", "error: `wait` is in us; write 8"},
        {"2 ms", "error: `wait` is in us; write 2000"},
        {"2 * us", "error: `wait` is in us; write it without units"},
        {"8 MiB", "error: `wait` is in us; write 8"},
        {"2 * s", "accepted"},
    }));
    const std::string text =
        "scenario: t\nparameters: {s: 3, wait: {default: 8, unit: us}}\nsteps: []\n";
    CHECK(error_of(text, {{"wait", value}}) ==
          (answer == "accepted" ? answer : "--set: " + answer));
}

TEST_CASE("an override splits at the first equals sign", "[parameters]") {
    CHECK(parse_override("a=b=c").name == "a");
    CHECK(parse_override("a=b=c").value == "b=c");
    CHECK_THROWS_WITH(parse_override("layers"),
                      "--set: error: `layers` sets nothing; write `--set name=value`");
}

TEST_CASE("parameters that make no sense are refused where they are written", "[parameters]") {
    const auto [parameter, error] = GENERATE(table<std::string, std::string>({
        {"a: b\n  b: 1", "2:6: error: unknown name `b`; define it under `parameters`"},
        {"a: a + 1", "2:6: error: unknown name `a`; define it under `parameters`"},
        {"MiB: 1",
         "2:3: error: a parameter is named `MiB`, a word of the language; choose another name"},
        {"if: 1",
         "2:3: error: a parameter is named `if`, a word of the language; choose another name"},
        {"per-layer: 1",
         "2:3: error: a parameter is named `per-layer`; use letters, digits and `_`, a letter "
         "first"},
        {"a: {choices: [1]}", "2:6: error: the parameter lacks `default`; add `default:`"},
        {"a: {default: 1, choices: []}",
         "2:28: error: no choices; list at least one, or drop `choices`"},
        {"a: {default: x, choices: [y, z]}", "2:3: error: `a` is `x`; choose one of `y`, `z`"},
        {"a: {default: 1, typ: integer}",
         "2:19: error: unknown key `typ` in a parameter; did you mean `type`?"},
        {"a: {default: 1, type: int}", "2:25: error: unknown type `int`; did you mean `integer`?"},
        {"a: {default: 1, type: real}",
         "2:25: error: unknown type `real`; known are `number`, `integer`, `boolean`, `text`"},
        {"a: {default: 1.5, type: integer}",
         "2:3: error: `a` is a real (`1.5`); give it an integer"},
        {"a: {default: 0, min: 1}", "2:3: error: `a` is 0; keep it at 1 or more"},
        {"a: {default: true, min: 1}",
         "2:27: error: a bound is for numbers; make the bound and the parameter numbers, or drop "
         "it"},
        {"a: [1]",
         "2:6: error: a list where the parameter's default should be; write the parameter's "
         "default"},
        {"a:",
         "2:4: error: nothing where the parameter's default should be; write the parameter's "
         "default"},
    }));
    CHECK(error_of("parameters:\n  " + parameter + "\nscenario: t\nsteps: []\n") ==
          "s.yaml:" + error);
}
