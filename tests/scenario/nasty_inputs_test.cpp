#include <algorithm>
#include <random>
#include <string>

#include "sim/core/error.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;

namespace {

// Enough under the sanitizers, which take ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int kRounds = 400;
constexpr std::size_t kCut = 3;
#else
constexpr int kRounds = 1'500;
constexpr std::size_t kCut = 1;
#endif

// A check finds something wrong where reading does, and that as well.
void is_checked_as_read(const std::string& text, const std::string& error) {
    const ScenarioCheck found = check_scenario(text, "s.yaml");
    INFO(text << error);
    CHECK(found.problems.empty() == error.empty());
    CHECK((error.empty() ||
           std::any_of(found.problems.begin(), found.problems.end(), [&](const auto& problem) {
               return problem.what() == error;
           })));
}

std::string error_of_reading(const std::string& text) {
    try {
        load_scenario(text, "s.yaml");
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

// Any outcome is good but a crash, a hang, or an error without a place and a remedy.
void survives(const std::string& text) {
    is_checked_as_read(text, error_of_reading(text));
    const LoweringLimits limits{.max_operations = 10'000, .max_work = 100'000};
    try {
        const Scenario scenario = load_scenario(text, "s.yaml");
        lower(scenario, resolve_parameters(scenario), limits);
        SUCCEED("accepted");
    } catch (const InputError& error) {
        CHECK(error.place().file == "s.yaml");
        CHECK_FALSE(error.problem().empty());
        CHECK_FALSE(error.remedy().empty());
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
}

const std::string kSeedText =
    "scenario: t\n"
    "device: {total_memory: 80 GiB}\n"
    "allocator: {conf: \"expandable_segments:True\", memory_fraction: 0.5}\n"
    "parameters: {n: 4, mode: {default: a-b, choices: [a-b, c]}}\n"
    "streams: {a: {count: n, priority: -1}, b: {}}\n"
    "procedures:\n"
    "  p: {parameters: [s], do: [{alloc: {x: s * MiB}}, {kernel: {reads: [x]}}, {free: x}]}\n"
    "steps:\n"
    "- for: {i: n}\n"
    "  do:\n"
    "  - {on: \"a[i]\", call: p, with: {s: if(mode == \"c\", 1, 2)}}\n"
    "  - wait: {stream: b, for: \"a[i]\"}\n"
    "- capture: {graph: g, stream: b, pool: q, call: p, with: {s: 3}}\n"
    "- &r {replay: g, when: n > 2}\n"
    "- *r\n"
    "- checkpoint: end_\n"
    "measures: {m: end_.reserved_bytes - 1, u: unique_addresses(x, end_, result)}\n";

const std::string kModelText =
    "scenario: t\n"
    "extends: models/llama-3-8b\n"
    "buckets: {d: {list: [1, 2, 4], max: 2, order: desc}}\n"
    "workspaces: {w: {size: 8 KiB, per: stream, scoped: true}}\n"
    "streams: {a: {count: 2, per: layer}, b: {}}\n"
    "templates:\n"
    "  l: {in: h, out: o, parameters: [k], weights: {v: k * KiB}, keep: q, do: [\n"
    "    n: {in: h, out: {q: bucket * k, o: 4}, scratch: {s: 8}, uses: w}, view: {z: q},\n"
    "    branch: {name: x, stream: a, do: [f: {in_place: q}]}, join: x]}\n"
    "model: {values: {t: bucket * 2}, do: [\n"
    "  e: {out: {h: t}}, {layers: 2, do: [{l: {in: h, out: h, with: {k: 3}}}]}]}\n"
    "phases:\n"
    "- load_weights\n"
    "- warm_up: {buckets: d, times: 2}\n"
    "- capture: {buckets: d, pool: shared, output: hold, stream: b}\n"
    "- replay: {buckets: d}\n"
    "- serve: {buckets: d, batches: [1, 2, 3], capture: ahead}\n"
    "- kv_cache: {bytes_per_token: 1 KiB, tokens: 4, block: 2}\n"
    "measures: {m: result.reserved_bytes}\n"
    "sweep: {layers: [1, 2], zip: {heads: [1, 2], vocab: [3, 4]}}\n"
    "expect: [{with: {layers: 3}, m: 4, within: 0.5}]\n";

}  // namespace

TEST_CASE("nasty texts are refused or accepted, no more", "[nasty]") {
    const std::string text =
        GENERATE(as<std::string>{},
                 "&a *a",
                 "*a",
                 "&a [*a, *a]",
                 "<<: *x",
                 "<<: {<<: {}}",
                 "? ",
                 ": ",
                 "- - - -",
                 "{",
                 "}",
                 "[[[[[[",
                 "\"",
                 "'",
                 "|",
                 ">",
                 "%YAML 9.9\n---\n",
                 "%TAG ! tag:x,2000:\n---\n!a b",
                 "---\n---\n---",
                 "...",
                 "--- |\n  text",
                 "!!binary aGVsbG8=",
                 "!<!> x",
                 "scenario: {a: b}\nsteps: []",
                 "scenario: ~\nsteps: []",
                 "scenario: null\nsteps: null",
                 "scenario: t\nsteps: [null, ~, '', \"\"]",
                 "scenario: t\nsteps: [{null: null}]",
                 "scenario: t\nsteps: [{'': ''}]",
                 "scenario: t\nsteps: [{alloc: {'': 1}}]",
                 "scenario: t\nsteps: [{alloc: {'x[': 1}}]",
                 "scenario: t\nsteps: [{alloc: {'x[0': 1}}]",
                 "scenario: t\nsteps: [{alloc: {'[0]': 1}}]",
                 "scenario: t\nsteps: [{alloc: {'x[9223372036854775807]': 1}}]",
                 "scenario: t\nsteps: [{alloc: {x: 0x10}}]",
                 "scenario: t\nsteps: [{alloc: {x: 1_000}}]",
                 "scenario: t\nsteps: [{alloc: {x: .inf}}]",
                 "scenario: t\nsteps: [{alloc: {x: .nan}}]",
                 "scenario: t\nsteps: [{alloc: {x: 1e308 * 1e308}}]",
                 "scenario: t\nsteps: [{alloc: {x: -0.0}}]",
                 "scenario: t\nsteps: [{kernel: {stream: 'default[0][0]'}}]",
                 "scenario: t\nsteps: [{sync: 'current[0]'}]",
                 "scenario: t\nsteps: [{when: true}]",
                 "scenario: t\nsteps: [{when: true, sync: }]",
                 "scenario: t\nstreams: {a: {count: 1e18}}\nsteps: []",
                 "scenario: t\nstreams: {a: {priority: -1e15}}\nsteps: []",
                 "scenario: t\nmeasures: {m: a.b.c}\nsteps: []",
                 "scenario: t\nmeasures: {m: 1 + unique_addresses(1, 2, 3)}\nsteps: []");
    survives(text);
}

TEST_CASE("long runs of one character are survived", "[nasty]") {
    const char c = GENERATE(values<char>({'[',
                                          '{',
                                          '(',
                                          '-',
                                          ' ',
                                          '\n',
                                          ':',
                                          ',',
                                          '"',
                                          '\'',
                                          '&',
                                          '*',
                                          '!',
                                          '%',
                                          '#',
                                          '?',
                                          '|',
                                          'x'}));
    survives(std::string(20'000, c));
    survives("scenario: t\nsteps: " + std::string(20'000, c));
    survives("scenario: t\nsteps: [{alloc: {x: '" + std::string(1'500, c) + "'}}]");
}

TEST_CASE("a good scenario survives random damage", "[nasty]") {
    const std::string whole = GENERATE(as<std::string>{}, kSeedText, kModelText);
    const unsigned seed = 20'240'817;
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const std::string bits = "[]{}:,-&*!|>'\"%#?@` \n\tax0.9<=";
    for (int round = 0; round < kRounds; ++round) {
        std::string text = whole;
        for (unsigned damage = 0; damage <= random() % 4; ++damage) {
            const std::size_t at = random() % text.size();
            const std::size_t length = random() % 3;
            text.replace(at, length, 1, bits[random() % bits.size()]);
        }
        survives(text);
    }
}

TEST_CASE("a scenario cut short is survived, wherever it is cut", "[nasty]") {
    const std::string whole = GENERATE(as<std::string>{}, kSeedText, kModelText);
    for (std::size_t length = 0; length < whole.size(); length += kCut) {
        survives(whole.substr(0, length));
    }
}
