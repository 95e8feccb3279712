#include "sim/scenario/facts/cost_profiles.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/scenario/facts/devices.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/text/presets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

using namespace highwater;
using namespace highwater::literals;
using namespace std::chrono_literals;

namespace {

// Every key on a line of its own.
const std::string kText = R"(card: a card
driver: "1"
cuda: "2.0"
framework: none
times:
  host:
    operation: 13.2 us
    launch: 5 us
    malloc: 340 ns
    free: 0
    record_event: 0.3714 us
    wait_event: 1 us
    query_event: 1 us
    synchronize: 1 ms
    device_malloc: {2 MiB: 42 us, 1 GiB: 147.3 us}
    device_free: {0: 1 us}
    map: {2 MiB: 1 us}
    unmap: {2 MiB: 1 us}
    capture: 1 s
    capture_node: 1 us
    instantiate: {1: 30 us, 100: 300 us}
    instantiate_join: 1 us
    replay: {1: 1 us}
    launch_queue: 1022
  card:
    launch_latency: 1 us
    least_kernel: 1 us
    kernel_base: 1 us
    kernel_gap: 1 us
    node_gap: 1 us
    stream_wait: 1 us
    node_join: 1 us
    copy_latency: 1 us
    host_to_device: 55e9
    device_to_host: 54e9
    device_to_device: 2.0e12
    memory_bandwidth: 4e12
    flops: {bf16: 990e12, fp32: 67000000000000}
memory:
  granularity: 2 MiB
  context:
    bytes: 552402944 B
    error: {absolute: 2 MiB, relative: 0}
    source: somewhere
  modules:
    bytes: 2 MiB
    error: {absolute: 0, relative: 0.5}
    source: somewhere
  streams:
    each: 0.5 MiB
    in_context: 1 MiB
    error: {absolute: 2 MiB, relative: 0}
    source: somewhere
  graphs:
    kernel_node: 2 KiB
    kernel_launch: 320 B
    graph: 116 KiB
    join: 115 KiB
    in_context: 2 MiB
    error: {absolute: 4 MiB, relative: 0.15}
    source: somewhere
  memory_nodes:
    step: 32 MiB
    error: {absolute: 0, relative: 0}
    source: somewhere
)";

CostProfile parsed(const std::string& text) {
    return parse_cost_profile(text, "made_up", "p.yaml");
}

std::string error_of(const std::string& text) {
    try {
        parsed(text);
        return "accepted";
    } catch (const InputError& error) {
        return error.what();
    }
}

// The text with a piece of it changed.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = kText;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(from, at + 1) == std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a profile's values are those of its text", "[profile]") {
    const CostProfile profile = parsed(kText);
    CHECK(profile.name == "made_up");
    CHECK(profile.card == "a card");
    CHECK(profile.driver == "1");
    CHECK(profile.cuda == "2.0");
    CHECK(profile.framework == "none");
    const HostTimes& host = profile.times.host;
    CHECK(host.operation == 13'200ns);
    CHECK(host.malloc == 340ns);
    CHECK(host.launch_queue == 1022);
    CHECK(host.free == 0ns);
    CHECK(host.record_event == 371ns);
    CHECK(host.synchronize == 1ms);
    CHECK(host.capture == 1s);
    CHECK(host.device_malloc.points ==
          std::vector<CostCurve::Point>{{(2_MiB).count, 42us}, {(1_GiB).count, 147'300ns}});
    CHECK(host.instantiate.points == std::vector<CostCurve::Point>{{1, 30us}, {100, 300us}});
    const CardTimes& card = profile.times.card;
    CHECK(card.host_to_device == 55e9);
    CHECK(card.flops ==
          std::map<std::string, double, std::less<>>{{"bf16", 990e12}, {"fp32", 67e12}});
}

TEST_CASE("a profile's memory is that of its text", "[profile]") {
    const MemoryProfile memory = parsed(kText).memory;
    CHECK(memory.granularity == 2_MiB);
    CHECK(memory.context == FixedMemory{552402944_B, {2_MiB, 0}, "somewhere"});
    CHECK(memory.modules == FixedMemory{2_MiB, {0_B, 0.5}, "somewhere"});
    CHECK(memory.streams == StreamMemory{512_KiB, 1_MiB, {2_MiB, 0}, "somewhere"});
    CHECK(memory.graphs ==
          GraphExecCosts{2_KiB, 320_B, 116_KiB, 115_KiB, 2_MiB, {4_MiB, 0.15}, "somewhere"});
    CHECK(memory.memory_nodes == MemoryNodeCosts{32_MiB, {}, "somewhere"});
}

TEST_CASE("a value that is none is refused at its place", "[profile]") {
    const auto [from, to, error] = GENERATE(table<std::string, std::string, std::string>({
        {"launch: 5 us", "launch: -5 us", "8:13: error: `-5 us` is below 0; make it 0 or more"},
        {"launch: 5 us",
         "launch: .nan",
         "8:13: error: `.nan` where a time should be; write it as `0.37 us`"},
        {"launch: 5 us",
         "launch: 5",
         "8:13: error: `5` where a time should be; write it as `0.37 us`"},
        {"launch: 5 us",
         "launch: 5 MiB",
         "8:13: error: `5 MiB` where a time should be; write it as `0.37 us`"},
        {"launch: 5 us",
         "launch: 2 * 5 us",
         "8:13: error: `2 * 5 us` where a time should be; write it as `0.37 us`"},
        {"launch: 5 us",
         "launch: 1001 s",
         "8:13: error: `1001 s` is too much; keep it within "
         "1000 s"},
        {"launch: 5 us",
         "launch: 1e999 us",
         "8:13: error: `1e999` is not a number that fits; integers go up to 2^63 - 1"},
        {"launch: 5 us", "launch: []", "8:13: error: a list where a time should be; write a time"},
        {"launch: 5 us", "launch:", "8:11: error: nothing where a time should be; write a time"},
        {"granularity: 2 MiB",
         "granularity: 2 us",
         "40:16: error: `2 us` where a size should be; write it as `2 MiB`"},
        {"granularity: 2 MiB",
         "granularity: 0.3 B",
         "40:16: error: `0.3 B` is not a whole number of bytes; write it in a smaller unit"},
        {"granularity: 2 MiB",
         "granularity: 1025 TiB",
         "40:16: error: `1025 TiB` is too much; keep it within 1024 TiB"},
        {"host_to_device: 55e9",
         "host_to_device: nan",
         "34:21: error: `nan` where a number should be; write it as `0.15` or `55e9`"},
        {"host_to_device: 55e9",
         "host_to_device: 55 GB",
         "34:21: error: `55 GB` where a number should be; write it as `0.15` or `55e9`"},
        {"{0: 1 us}", "{}", "16:18: error: no points; write at least one, as in `{1: 5 us}`"},
        {"1: 30 us, 100",
         "100: 30 us, 100 B",
         "21:31: error: `100 B` does not rise; write the points by rising size or count"},
        {"1: 30 us, 100",
         "1.5: 30 us, 100",
         "21:19: error: `1.5` where a size or a count should be; write it as `2 MiB` or `100`"},
        {"launch_queue: 1022",
         "launch_queue: 1.5",
         "24:19: error: `1.5` where a count should be; write a whole number"},
        {"card: a card", "card: \"\"", "1:8: error: an empty text; say what it is"},
    }));
    CHECK(error_of(changed(from, to)) == "p.yaml:" + error);
}

TEST_CASE("a profile has all the keys, and no others", "[profile]") {
    const auto [from, to, error] = GENERATE(table<std::string, std::string, std::string>({
        {"card: a card\n", "", "1:1: error: a cost profile lacks `card`; add `card:`"},
        {"    launch: 5 us\n", "", "7:5: error: the host's times lacks `launch`; add `launch:`"},
        {"launch: 5 us",
         "lunch: 5 us",
         "8:5: error: unknown key `lunch` in the host's times; did you mean `launch`?"},
        {"    join: 115 KiB\n", "", "55:5: error: the memory of graphs lacks `join`; add `join:`"},
        {"relative: 0.15",
         "share: 0.15",
         "60:30: error: unknown key `share` in an error; known are `absolute`, `relative`"},
    }));
    CHECK(error_of(changed(from, to)) == "p.yaml:" + error);
    CHECK(error_of("[]") ==
          "p.yaml:1:1: error: a list where a cost profile should be; write a cost profile");
}

TEST_CASE("a profile says of another only what differs", "[profile]") {
    const CostProfile base = find_cost_profile("h200-cuda13").value();
    const CostProfile made = parsed(
        "extends: h200-cuda13\ndriver: \"999\"\ntimes: {host: {launch: 7 us, replay: {1: 9 us}}}\n"
        "memory: {context: {bytes: 3 MiB}}\n");
    CostProfile expected = base;
    expected.name = "made_up";
    expected.driver = "999";
    expected.times.host.launch = 7us;
    expected.times.host.replay = {{{1, 9us}}};
    expected.memory.context.bytes = 3_MiB;
    CHECK(made == expected);
    CHECK(made != base);

    CHECK(error_of("extends: h200-cuda12\n") ==
          "p.yaml:1:10: error: unknown cost profile `h200-cuda12`; did you mean `h200-cuda13`?");
    CHECK(error_of("extends: h200-cuda13\ntimes: {host: {lunch: 7 us}}\n") ==
          "p.yaml:2:16: error: unknown key `lunch` in the host's times; did you mean `launch`?");
}

TEST_CASE("a profile's terms are the keys that it may have", "[profile]") {
    const std::vector<std::string> terms = cost_profile_terms();
    for (const std::string& term : terms) {
        CHECK(kText.find(term.substr(term.rfind('.') + 1) + ": ") != std::string::npos);
    }
    CHECK(std::set<std::string>(terms.begin(), terms.end()).size() == terms.size());
    CHECK(std::count(terms.begin(), terms.end(), "card") == 1);
    CHECK(std::count(terms.begin(), terms.end(), "times.host.launch") == 1);
    CHECK(std::count(terms.begin(), terms.end(), "memory.graphs.error.relative") == 1);
}

TEST_CASE("every device's cost profile is there, and names its card", "[profile]") {
    std::size_t measured = 0;
    for (const std::string& name : device_names()) {
        const std::string profile = find_device(name).value().cost_profile;
        if (!profile.empty()) {
            ++measured;
            CHECK(find_cost_profile(profile).value().name == profile);
        }
    }
    CHECK(measured > 0);
    CHECK(cost_profile_names() == std::vector<std::string>{"h200-cuda13"});
    CHECK(find_cost_profile("h200-cuda13").value().card.find("H200") != std::string::npos);
    CHECK_FALSE(find_cost_profile("h200-cuda14"));
}

TEST_CASE("no scenario extends a cost profile", "[profile]") {
    CHECK_FALSE(find_preset("cost_profiles/h200-cuda13"));
    for (const std::string& name : preset_names()) {
        CHECK(name.find("cost_profiles") == std::string::npos);
    }
}
