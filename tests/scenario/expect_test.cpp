#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/result/claims.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

// Reserves `mib` MiB. On line 9 and below stand the expectations.
const std::string kScenario =
    "scenario: t\n"
    "device: {total_memory: 1 GiB}\n"
    "parameters: {mib: {default: 30, min: 10}, mode: {default: plain, choices: [plain, odd]}}\n"
    "steps:\n"
    "- alloc: {x: mib * MiB}\n"
    "- checkpoint: after\n"
    "measures: {reserved_bytes: after.reserved_bytes, gib: after.reserved_bytes / GiB}\n"
    "expect:\n";

std::vector<Claim> claims(const std::string& expectations) {
    return claims_of(load_scenario(kScenario + expectations, "s.yaml"));
}

Claim claim(const std::string& expectation) {
    const std::vector<Claim> all = claims("- " + expectation + "\n");
    REQUIRE(all.size() == 1);
    return all.front();
}

std::string error_of_expectation(const std::string& expectation) {
    try {
        claim(expectation);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("an expected size must be met to the byte", "[expect]") {
    CHECK(claim("{reserved_bytes: 30 MiB}").holds);
    CHECK(claim("{reserved_bytes: 31457280}").holds);
    CHECK_FALSE(claim("{reserved_bytes: 30 MiB + 1}").holds);
    CHECK_FALSE(claim("{reserved_bytes: 30 MiB - 1}").holds);
}

TEST_CASE("an expectation is of the parameters it names, and may calculate with them", "[expect]") {
    CHECK(claim("{with: {mib: 50}, reserved_bytes: 50 MiB}").holds);
    CHECK(claim("{with: {mib: 40 + 10, mode: odd}, reserved_bytes: mib * MiB}").holds);
    CHECK_FALSE(claim("{with: {mib: 50}, reserved_bytes: 30 MiB}").holds);
}

TEST_CASE("`within` allows so much of the expected value either way", "[expect]") {
    CHECK(claim("{gib: 0.03, within: 0.03}").holds);
    CHECK_FALSE(claim("{gib: 0.03, within: 0.02}").holds);
    CHECK(claim("{reserved_bytes: 40 MiB, within: 0.25}").holds);
    CHECK_FALSE(claim("{reserved_bytes: 40 MiB, within: 0.2499}").holds);
    CHECK(claim("{reserved_bytes: 24 MiB, within: 1 / 4}").holds);
    CHECK_FALSE(claim("{reserved_bytes: 30 MiB + 1, within: 0}").holds);
}

TEST_CASE("a run is expected to end well unless the expectation says otherwise", "[expect]") {
    CHECK(claim("{with: {mib: 2000}, out_of_memory: true}").holds);
    CHECK_FALSE(claim("{out_of_memory: true}").holds);
    CHECK_FALSE(claim("{with: {mib: 2000}, pytorch_error: true}").holds);
    const std::vector<Claim> unexpected = claims("- {with: {mib: 2000}, reserved_bytes: 1}\n");
    REQUIRE(unexpected.size() == 2);
    CHECK(to_text(unexpected[0]) ==
          "s.yaml:9: outcome with mib=2000: expected done, got out of memory");
    CHECK(to_text(unexpected[1]) == "s.yaml:9: reserved_bytes with mib=2000: expected 1, got none");
}

TEST_CASE("each measure of each expectation is a claim at its own line", "[expect]") {
    const std::vector<Claim> all = claims(
        "- reserved_bytes: 1\n"
        "  gib: 2\n"
        "  within: 0.1\n"
        "  note: published\n"
        "- {with: {mib: 10, mode: odd}, reserved_bytes: 3}\n");
    REQUIRE(all.size() == 3);
    CHECK(to_text(all[0]) == "s.yaml:9: reserved_bytes: expected 1 within 0.1, got 31457280");
    CHECK(to_text(all[1]) == "s.yaml:10: gib: expected 2 within 0.1, got 0.029296875");
    CHECK(to_text(all[2]) ==
          "s.yaml:13: reserved_bytes with mib=10, mode=odd: expected 3, got 10485760");
    CHECK(all[1].note == "published");
    CHECK(all[2].note.empty());
}

TEST_CASE("what an expectation names is there, and its parameters take the values", "[expect]") {
    const auto [expectation, error] = GENERATE(table<std::string, std::string>({
        {"{reserved_byte: 1}",
         "4: error: unknown measure `reserved_byte`; did you mean `reserved_bytes`?"},
        {"{gib: m}", "9: error: unknown name `m`; known are `mib`, `mode`"},
        {"{gib: 1, within: much}", "20: error: unknown name `much`; known are `mib`, `mode`"},
        {"{gib: 1, within: -1}",
         "20: error: `within` is `-1`; give it a relative error, such as 0.05"},
        {"{gib: after.segment}",
         "14: error: `after.segment` where only parameters are known; use figures of checkpoints "
         "under `measures`"},
        {"{with: {mbi: 1}, gib: 1}",
         "11: error: `mbi` is no parameter of s.yaml; did you mean `mib`?"},
        {"{with: {mib: 9}, gib: 1}", "11: error: `mib` is 9; keep it at 10 or more"},
        {"{with: {mode: od}, gib: 1}", "11: error: `mode` is `od`; choose one of `plain`, `odd`"},
        {"{with: {mib: 1 +}, gib: 1}",
         "11: error: `mib=1 +`: the expression ends where a value should be; write a number, a "
         "name, a call or a bracket"},
        {"{with: mib, gib: 1}",
         "10: error: a value where a map of parameters should be; write a map of parameters"},
        {"{note: nothing}",
         "3: error: an expectation of nothing; name a measure, or write `out_of_memory: true`"},
        {"{out_of_memory: yes}", "19: error: `out_of_memory` is `yes`; write true or false"},
        {"{out_of_memory: true, pytorch_error: true}",
         "3: error: both `out_of_memory` and `pytorch_error`; keep one of them: the run ends at "
         "the first"},
        {"[]", "3: error: a list where an expectation should be; write an expectation"},
    }));
    CHECK(error_of_expectation(expectation) == "s.yaml:9:" + error);
}

TEST_CASE("what is wrong with an expectation is found when the file is read", "[expect]") {
    CHECK(error_of(kScenario + "- {gbi: 1}\n") ==
          "s.yaml:9:4: error: unknown measure `gbi`; did you mean `gib`?");
    CHECK(error_of(kScenario + "- {with: {mib: 9}, gib: 1}\n") ==
          "s.yaml:9:11: error: `mib` is 9; keep it at 10 or more");
}

TEST_CASE("strictly seen, a hazard is a claim that does not hold", "[expect]") {
    const std::string text =
        "scenario: t\nstreams: {a: {}, b: {}}\nparameters: {ordered: false}\nsteps:\n"
        "- alloc: {x: 1 MiB}\n"
        "- wait: {stream: a, for: default}\n"
        "- kernel: {stream: a, writes: x}\n"
        "- {wait: {stream: b, for: a}, when: ordered}\n"
        "- kernel: {stream: b, writes: x}\n"
        "measures: {one: 1}\n"
        "expect: [{one: 1}, {with: {ordered: true}, one: 1}]\n";
    const Scenario scenario = load_scenario(text, "s.yaml");
    CHECK(claims_of(scenario).size() == 2);
    const std::vector<Claim> strict = claims_of(scenario, true);
    REQUIRE(strict.size() == 3);
    CHECK(strict[0].measure == "hazards");
    CHECK(to_text(strict[0]) == "s.yaml:11: hazards: expected 0, got 1");
    CHECK_FALSE(strict[0].holds);
    CHECK(strict[1].holds);
    CHECK(strict[2].holds);
}
