// Work of the card and the host, and how long it lasts.
#include <cmath>
#include <string>

#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "tests/scenario/scenario_support.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::test;

namespace {

const CardTimes& card() {
    static const CostProfile kProfile = find_cost_profile("h200-cuda13").value();
    return kProfile.times.card;
}

// Of the one kernel of the steps.
op::Kernel kernel_of(const std::string& step, const std::string& top = "") {
    const Program program =
        lowered("scenario: t\nparameters: {n: 4, type: {default: fp32, type: text}}\n" + top +
                "steps:\n- " + step + "\n");
    return std::get<op::Kernel>(program.ops.at(0));
}

Duration nanoseconds(double count) {
    return Duration{std::llround(count)};
}

}  // namespace

TEST_CASE("a kernel lasts as long as its step says", "[work]") {
    CHECK(kernel_of("kernel: {duration: 12 us}").duration == Duration{12'000});
    CHECK(kernel_of("kernel: {duration: n * 2.5 us}").duration == Duration{10'000});
    CHECK(kernel_of("kernel: {duration: 10 / 3 * ns}").duration == Duration{3});
    CHECK(kernel_of("kernel").duration == Duration{});
    CHECK(kernel_of("kernel").width == 1);
    CHECK(kernel_of("kernel: {width: n / 16}").width == 0.25F);
}

TEST_CASE("flops and bytes take what the card's rates give, the longest counts", "[work]") {
    const Duration base = card().kernel_base;
    const Duration product = base + nanoseconds(8e12 / card().flops.at("fp32") * 1e9);
    const Duration traffic = base + nanoseconds(4e9 / card().memory_bandwidth * 1e9);
    REQUIRE(product > traffic);
    CHECK(kernel_of("kernel: {flops: 8e12, dtype: fp32}").duration == product);
    CHECK(kernel_of("kernel: {flops: 8e12, dtype: type}").duration == product);
    CHECK(kernel_of("kernel: {bytes: n * GB}").duration == traffic);
    CHECK(kernel_of("kernel: {flops: 8e12, dtype: fp32, bytes: n * GB}").duration == product);
    CHECK(kernel_of("kernel: {flops: 1, bytes: n * GB}").duration == traffic);
    CHECK(kernel_of("kernel: {duration: 1 s, bytes: n * GB}").duration == Duration{1'000'000'000});
    CHECK(kernel_of("kernel: {flops: 8e12}").duration ==
          base + nanoseconds(8e12 / card().flops.at("bf16") * 1e9));
}

TEST_CASE("an operation of a template takes time like a kernel", "[work]") {
    const Program program = lowered(
        "scenario: t\nmodel: {do: [{down: {out: {y: 8}, duration: bucket * us, width: 0.5}}]}\n"
        "phases: [{forward: {buckets: 3}}]\n");
    const auto kernel = std::get<op::Kernel>(program.ops.at(1));
    CHECK(kernel.duration == Duration{3'000});
    CHECK(kernel.width == 0.5F);
}

TEST_CASE("without a cost profile no time passes", "[work]") {
    const std::string none = "cost_profile: none\n";
    CHECK(kernel_of("kernel: {duration: 12 us}", none).duration == Duration{});
    CHECK(kernel_of("kernel: {flops: 1e12, dtype: no_such_type}", none).duration == Duration{});
    CHECK(kernel_of("kernel: {bytes: 1 GiB}", none).duration == Duration{});
}

TEST_CASE("a parameter may bring the unit of a time, and no time needs none", "[work]") {
    CHECK(kernel_of("kernel: {duration: 3 * n}").duration == nanoseconds(12));
    CHECK(kernel_of("kernel: {duration: 0}").duration == Duration{});
    CHECK(kernel_of("kernel: {duration: 4 KiB / (2 * KiB) * us}").duration == nanoseconds(2'000));
}

TEST_CASE("without a cost profile it is counted what is left out", "[work]") {
    const Scenario scenario = load_scenario(
        "scenario: t\ndevice: h100\nsteps:\n"
        "- {repeat: 3, do: [{kernel: {duration: 2 us}}, kernel]}\n"
        "- host_work: 1 ms\n- kernel: {flops: 1e9}\n- kernel: {duration: 0}\n",
        "s.yaml");
    CHECK(lower(scenario, resolve_parameters(scenario, {})).times_left_out == 3 + 1 + 1);
}

TEST_CASE("a time that cannot be is refused at its place", "[work]") {
    const auto [step, error] = GENERATE(table<std::string, std::string>({
        {"kernel: {duration: 0 us - 1}",
         "5:22: error: the duration in nanoseconds is -1; keep it between 0 and 3600000000000"},
        {"kernel: {duration: 2 * 3600 s}", "keep it between 0 and 3600000000000"},
        {"kernel: {duration: \"'long'\"}",
         "the duration in nanoseconds is `long`; make it a number"},
        {"kernel: {width: 0}", "5:19: error: the width is 0; give the share of the card"},
        {"kernel: {width: 1.5}", "the width is 1.5; keep it between 0 and 1"},
        {"kernel: {dtype: fp32}", "5:19: error: a `dtype` without `flops`; add them, or remove it"},
        {"kernel: {flops: 1, dtype: fp33}",
         "5:29: error: the cost profile `h200-cuda13` has no rate for `fp33`; did you mean "},
        {"kernel: {flops: 1e21}",
         "5:19: error: the work lasts 1.294e+06 s, and no operation may last longer than an hour; "
         "give it less work, or make several operations of it"},
        {"kernel: {flops: 1, bytes: 1e17}", "5:29: error: the work lasts "},
        {"kernel: {duration: 5}", "5:22: error: the time `5` has no unit; write `5 us`"},
        {"host_work: 2 * 3", "5:14: error: the time `2 * 3` has no unit; write `(2 * 3) * us`"},
        {"kernel: {duration: 5 MiB}",
         "5:22: error: `5 MiB` is a size where a time should be; write it in `ns`"},
        {"host_work: -1 us", "5:14: error: the duration in nanoseconds is -1000"},
    }));
    INFO(step);
    CHECK_THAT(error_of_steps("- " + step + "\n"), Catch::Matchers::Contains(error));
}

TEST_CASE("memsets, copies and host functions become operations", "[work]") {
    CHECK(ops_of_steps("- alloc: {x: 1 KiB, y: 2 KiB}\n"
                       "- memset: {tensor: x, stream: a, duration: 3 us}\n"
                       "- copy: {from: x}\n"
                       "- copy: {to: y, stream: a}\n"
                       "- copy: {from: y, to: x, blocking: true}\n"
                       "- copy: {kind: host_to_device, size: n * 16}\n"
                       "- copy: {kind: device_to_host, from: x, size: 4}\n"
                       "- item: x\n"
                       "- item: {tensor: y, stream: b}\n"
                       "- host_function: {duration: 5 us, stream: a}\n"
                       "- host_function\n"
                       "- host_work: 1 ms\n") ==
          "alloc x 1024 on default\n"
          "alloc y 2048 on default\n"
          "memset x on a for 3000\n"
          "copy device_to_host 1024 on default from x\n"
          "copy host_to_device 2048 on a to y\n"
          "copy device_to_device 1024 on default from y to x blocking\n"
          "copy host_to_device 64 on default\n"
          "copy device_to_host 4 on default from x\n"
          "copy device_to_host 4 on default from x blocking\n"
          "copy device_to_host 4 on b from y blocking\n"
          "host_function on a for 5000\n"
          "host_function on default\n"
          "host_work 1000000\n");
}

TEST_CASE("a memset takes as long as it takes to write the tensor", "[work]") {
    const Program program = lowered("scenario: t\nsteps: [{alloc: {x: 1 GB}}, {memset: x}]\n");
    CHECK(std::get<op::Memset>(program.ops.at(1)).duration ==
          nanoseconds(1e9 / card().memory_bandwidth * 1e9));
}

TEST_CASE("the host waits for events and asks them", "[work]") {
    CHECK(ops_of_steps("- record_event: e[n]\n- sync_event: e[4]\n- query_event: e[4]\n") ==
          "record_event e[4] on default\nsynchronize_event e[4]\nquery_event e[4]\n");
    CHECK(ops_of_steps("- sync_event: e\n- query_event: e\n") ==
          "synchronize_event e\nquery_event e\n");
}

TEST_CASE("another thread has its own current stream, and the one before goes on", "[work]") {
    const Program program = lowered(
        "scenario: t\nstreams: {a: {}}\nsteps:\n"
        "- on: a\n"
        "  do:\n"
        "  - thread: worker\n"
        "    do: [kernel, {thread: main, do: [kernel]}, {thread: worker, do: [kernel]}]\n"
        "  - kernel\n");
    CHECK(program.threads == std::vector<std::string>{"main", "worker"});
    CHECK(ops_of(program) ==
          "switch_thread worker\nkernel on default\nswitch_thread main\nkernel on default\n"
          "switch_thread worker\nkernel on default\nswitch_thread main\nkernel on a\n");
}

TEST_CASE("what is tried stands between its marks", "[work]") {
    CHECK(ops_of_steps("- for: {i: 2}\n  do: [{try: \"t[i]\", do: [kernel]}]\n") ==
          "try t[0]\nkernel on default\nend_try\ntry t[1]\nkernel on default\nend_try\n");
}

TEST_CASE("a capture says its mode and where it ends", "[work]") {
    CHECK(ops_of_steps("- capture: {graph: g, stream: a, raw: true, mode: relaxed, end_on: b,\n"
                       "            do: [kernel]}\n") ==
          "begin_capture g on a mode relaxed\nkernel on a\nend_capture g on b\n");
    CHECK(ops_of_steps("- capture: {graph: g, stream: a, raw: true, end_thread: worker,\n"
                       "            do: [kernel]}\n- kernel\n") ==
          "begin_capture g on a\nkernel on a\nswitch_thread worker\nend_capture g\n"
          "switch_thread main\nkernel on default\n");
    CHECK(error_of_steps("- capture: {graph: g, stream: a, mode: strict, do: []}\n")
              .find("a capture in the mode `strict`; known are `global`, `thread_local`, "
                    "`relaxed`") != std::string::npos);
    const std::string buckets =
        "scenario: t\nstreams: {a: {}}\nparameters: {how: {default: thread_local, type: text}}\n"
        "model: {out: y, do: [{op: {out: {y: 8}}}, {eager: [{op: {in: y, out: {z: 8}}}]}]}\n"
        "phases: [{capture: {buckets: 1, stream: a, mode: how, segments: SEGMENTS}}]\n";
    for (const std::string segments : {"none", "strong"}) {
        std::string text = buckets;
        text.replace(text.find("SEGMENTS"), 8, segments);
        CHECK(ops_of(lowered(text)).find("into graphs mode thread_local") != std::string::npos);
    }
}

TEST_CASE("what CUDA thinks of a capture is a question to the run", "[work]") {
    CHECK(ops_of_steps("- capture: {graph: g, raw: true, do: [{capture: {graph: h, stream: a, "
                       "raw: true, do: []}}]}\n") ==
          "begin_capture g on default\nbegin_capture h on a\nend_capture h\nend_capture g\n");
}

TEST_CASE("a blocking stream is none of PyTorch's pool", "[work]") {
    const Program program = lowered(
        "scenario: t\nstreams: {own: {blocking: true, count: 2}, a: {blocking: false}}\n"
        "steps: [{kernel: {stream: \"own[1]\"}}]\n");
    REQUIRE(program.streams.size() == 4);
    CHECK(program.streams[1].blocking);
    CHECK(program.streams[2].blocking);
    CHECK_FALSE(program.streams[3].blocking);
    const Program others = lowered("scenario: t\nstreams: {a: {}}\nsteps: []\n");
    CHECK(program.streams[3].handle == others.streams[1].handle);
    CHECK(program.streams[1].handle != program.streams[2].handle);
}

TEST_CASE("the process may launch blocking and not cache", "[work]") {
    const auto machine = [](const std::string& top) {
        return lowered("scenario: t\nparameters: {on_: true}\n" + top + "steps: []\n").machine;
    };
    CHECK(machine("").caching);
    CHECK_FALSE(machine("").blocking_launches);
    CHECK(machine("").cost_profile == "h200-cuda13");
    CHECK_FALSE(machine("allocator: {caching: not on_}\n").caching);
    CHECK(machine("blocking_launches: on_\n").blocking_launches);
    CHECK(machine("cost_profile: none\n").cost_profile.empty());
    CHECK(machine("device: h100\n").cost_profile.empty());
    CHECK(machine("device: h100\ncost_profile: h200-cuda13\n").cost_profile == "h200-cuda13");
}

TEST_CASE("a profile of another card than the device is known as such", "[work]") {
    const auto is_other = [](const std::string& top) {
        return load_scenario("scenario: t\n" + top + "steps: []\n", "s.yaml")
            .machine.costs_are_of_another_card;
    };
    CHECK_FALSE(is_other(""));
    CHECK_FALSE(is_other("cost_profile: h200-cuda13\n"));
    CHECK_FALSE(is_other("cost_profile: none\ndevice: h100\n"));
    CHECK(is_other("cost_profile: h200-cuda13\ndevice: h100\n"));
}

TEST_CASE("a cost profile may be a file beside the scenario", "[work]") {
    const std::string profile = read_scenario_file(
        HIGHWATER_SOURCE_DIR "/scenarios/presets/cost_profiles/h200-cuda13.yaml");
    const std::string text = "scenario: t\ncost_profile: costs/mine.yaml\nsteps: []\n";
    std::string asked;
    const auto whole = [&](const std::string& path) {
        asked = path;
        return profile;
    };
    const Scenario scenario = load_scenario(text, "folder/s.yaml", whole);
    CHECK(asked == "folder/costs/mine.yaml");
    CHECK(scenario.machine.costs.value().name == "folder/costs/mine.yaml");
    CHECK(scenario.machine.costs->times.host.launch ==
          find_cost_profile("h200-cuda13")->times.host.launch);
    const auto broken = [](const std::string&) { return std::string("card: x\n"); };
    CHECK_THROWS_WITH(load_scenario(text, "folder/s.yaml", broken),
                      Catch::Matchers::Contains("folder/costs/mine.yaml:1:1: error: ") &&
                          Catch::Matchers::Contains("(cost profile of folder/s.yaml:2)"));
    CHECK(error_of(text).find("s.yaml:2:15: error: `costs/mine.yaml`: other files are not read") !=
          std::string::npos);
    CHECK(error_of("scenario: t\ncost_profile: h200-cuda31\nsteps: []\n")
              .find("s.yaml:2:15: error: unknown cost profile `h200-cuda31`; did you mean "
                    "`h200-cuda13`?") != std::string::npos);
}

TEST_CASE("a copy says what it copies", "[work]") {
    CHECK(error_of_steps("- copy: {blocking: true}\n").find("a copy of nothing") !=
          std::string::npos);
    CHECK(error_of_steps("- copy: {from: x}\n").find("`x` is not allocated") != std::string::npos);
    CHECK(error_of_steps("- copy: {kind: sideways, size: 1}\n").find("5:16: error: `sideways`") !=
          std::string::npos);
}

TEST_CASE("a buffer is large enough for what is copied into and out of it", "[work]") {
    const std::string stage = "- alloc: {stage: 1 KiB, out: 4 KiB}\n";
    CHECK(error_of_steps(stage + "- copy: {from: out, to: stage, size: 4 KiB}\n")
              .find("a copy of 4096 B, and `stage` has 1024 B; allocate it for the largest copy") !=
          std::string::npos);
    CHECK(error_of_steps(stage + "- copy: {from: stage, size: 1025}\n").find("`stage`") !=
          std::string::npos);
    // As where the bucket that runs first sizes it.
    const auto in_order = [](const std::string& sizes) {
        return error_of_steps(
            "- for: {i: 2}\n"
            "  do:\n"
            "  - {alloc: {stage: \"" +
            sizes +
            "\"}, when: i == 0}\n"
            "  - copy: {to: stage, size: \"" +
            sizes + "\"}\n");
    };
    CHECK(in_order("(i + 1) * KiB").find("`stage` has 1024 B") != std::string::npos);
    CHECK(in_order("(2 - i) * KiB") == "accepted");
}

TEST_CASE("a weak view is a name of its own that keeps nothing", "[work]") {
    CHECK(ops_of_steps("- alloc: {x: 1 KiB}\n"
                       "- weak_view: {w: x}\n"
                       "- free: x\n"
                       "- copy: {from: w}\n"
                       "- alloc: {x: 8}\n"
                       "- free: w\n") ==
          "alloc x 1024 on default\n"
          "weak_view w of x\n"
          "free x\n"
          "copy device_to_host 1024 on default from w\n"
          "alloc x 8 on default\n"
          "free w\n");
    CHECK(error_of_steps("- weak_view: {w: x}\n").find("`x` is not allocated") !=
          std::string::npos);
    CHECK(error_of_steps("- alloc: {x: 8}\n- weak_view: {w: x}\n- free: [x, w]\n"
                         "- kernel: {reads: w}\n")
              .find("`w` has been freed") != std::string::npos);
}
