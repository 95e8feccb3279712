// Calibration from a fake card to a profile that the simulator runs with.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "gpu/backend_module.hpp"
#include "gpu/calibrate/profile_text.hpp"
#include "gpu/run_command.hpp"
#include "sim/cli/point.hpp"
#include "sim/scenario/facts/cost_profiles.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "tests/gpu/fake_probes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/string_makers.hpp"

using namespace highwater;
using namespace highwater::literals;
using namespace std::chrono_literals;

namespace {

const std::string kBase = "h200-cuda13";

// What calibration can tell is nowhere as in the profile that the file extends.
CostProfile truth() {
    CostProfile made = find_cost_profile(kBase).value();
    HostTimes& host = made.times.host;
    host.launch = 4'210ns;
    host.launch_queue = 999;
    host.query_event = 223ns;
    host.synchronize = 3'330ns;
    host.capture_node = 777ns;
    host.instantiate_join = 6'500ns;
    for (CostCurve* const curve : {&host.device_malloc,
                                   &host.device_free,
                                   &host.map,
                                   &host.unmap,
                                   &host.instantiate,
                                   &host.replay}) {
        for (CostCurve::Point& point : curve->points) {
            point.cost = point.cost * 5 / 4;
        }
    }
    CardTimes& card = made.times.card;
    card.launch_latency = 4'100ns;
    card.least_kernel = 305ns;
    card.kernel_gap = 1'780ns;
    card.node_gap = 911ns;
    card.stream_wait = 123ns;
    card.node_join = 333ns;
    card.copy_latency = 5'550ns;
    card.host_to_device = 21.1e9;
    card.device_to_host = 22.2e9;
    card.device_to_device = 1.11e12;
    card.memory_bandwidth = 2.22e12;
    made.memory.context.bytes = 300_MiB;
    made.memory.modules.bytes = 6_MiB;
    made.memory.streams.each = 900_KiB;
    made.memory.streams.in_context = 3_MiB;
    made.memory.graphs.kernel_node = 2500_B;
    made.memory.graphs.join = 160_KiB;
    made.memory.memory_nodes.step = 16_MiB;
    return made;
}

class Folder {
  public:
    Folder() {
        std::string name = std::filesystem::temp_directory_path() / "highwater-calibrate-XXXXXX";
        path_ = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

using Change = std::function<void(gpu::FakeProbes&)>;

gpu::ProbesOpener opener(const Change& change = {}) {
    return [change](const std::string&, int device) -> std::unique_ptr<gpu::Probes> {
        if (device > 0) {
            throw gpu::NoMeasurement("there is no GPU 1");
        }
        auto made = std::make_unique<gpu::FakeProbes>(truth());
        if (change) {
            change(*made);
        }
        return made;
    };
}

struct Ending {
    int status = 0;
    std::string error;
};

// Standard error goes to a file meanwhile.
Ending outcome_of(std::vector<std::string> words, const gpu::ProbesOpener& open = opener()) {
    const Folder folder;
    std::fflush(stderr);
    const int error = dup(STDERR_FILENO);
    REQUIRE(std::freopen(folder.file("error").c_str(), "w", stderr) != nullptr);
    words.insert(words.begin(), "calibrate");
    Ending outcome;
    outcome.status = gpu::run_gpu_command_line(words, gpu::open_backend, open);
    std::fflush(stderr);
    dup2(error, STDERR_FILENO);
    close(error);
    outcome.error = text_of(folder.file("error"));
    return outcome;
}

CostProfile profile_of(const std::string& file) {
    return parse_cost_profile(text_of(file), "made", "made.yaml");
}

// Times in the file have three digits, and those of the card are differences.
void check_times(const CostCurve& found, const CostCurve& known) {
    for (const CostCurve::Point& point : found.points) {
        CHECK(static_cast<double>(point.cost.count()) ==
              Approx(static_cast<double>(known(point.at).count())).epsilon(0.006));
    }
}

}  // namespace

TEST_CASE("what a card does is what is written of it, and simulated with", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    const Ending outcome = outcome_of({"--out", file, "--repeat", "2", "--date", "2026-11-30"});
    CHECK(outcome.error.empty());
    REQUIRE(outcome.status == 0);
    const CostProfile found = profile_of(file);
    const CostProfile known = truth();
    INFO(text_of(file));

    HostTimes host = found.times.host;
    for (const auto curve : {&HostTimes::device_malloc,
                             &HostTimes::device_free,
                             &HostTimes::map,
                             &HostTimes::unmap,
                             &HostTimes::instantiate,
                             &HostTimes::replay}) {
        CHECK(host.*curve != find_cost_profile(kBase).value().times.host.*curve);
        check_times(host.*curve, known.times.host.*curve);
        host.*curve = known.times.host.*curve;
    }
    CHECK((host == known.times.host));
    CHECK((found.times.card == known.times.card));

    CHECK(found.memory.granularity == known.memory.granularity);
    CHECK(found.memory.context.bytes == known.memory.context.bytes);
    CHECK(found.memory.modules.bytes == known.memory.modules.bytes);
    CHECK(found.memory.memory_nodes.step == known.memory.memory_nodes.step);
    gpu::FakeProbes again(found);
    gpu::FakeProbes card(known);
    CHECK(again.memory_of_streams(64) == card.memory_of_streams(64));

    CHECK(found.card == "Fake, 1,048,576 MiB, 7 multiprocessors");
    CHECK(found.driver == "999.01");
    CHECK(found.cuda == "13.0");
    CHECK(found.framework == find_cost_profile(kBase).value().framework);

    std::ofstream(folder.file("s.yaml")) << "scenario: s\n"
                                            "cost_profile: mine.yaml\n"
                                            "steps: [{alloc: {x: 1 MiB}}, {kernel: {writes: x}}]\n";
    const Scenario scenario =
        load_scenario(text_of(folder.file("s.yaml")), folder.file("s.yaml"), read_scenario_file);
    CHECK((simulate(scenario, {}).costs.value().times == found.times));
}

TEST_CASE("a profile of the same card keeps the card's name", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    const auto h200 = [](gpu::FakeProbes& probes) { probes.card.name = "NVIDIA H200"; };
    CHECK(outcome_of({"--out", file, "--repeat", "1"}, opener(h200)).status == 0);
    CHECK(profile_of(file).card == find_cost_profile(kBase).value().card);
}

TEST_CASE("what a card cannot answer is left out and named, not made up", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    const auto poor = [](gpu::FakeProbes& probes) {
        probes.refused = {gpu::Timed::kMap, gpu::Timed::kGraphChain};
        probes.has_memory_nodes = false;
        probes.card.other_processes = 2;
    };
    const Ending outcome = outcome_of({"--out", file, "--repeat", "2"}, opener(poor));
    CHECK(outcome.status == 0);
    CHECK(outcome.error ==
          "warning: other processes use this GPU: times are not to be relied on, and what the "
          "context takes is left out\n"
          "left out: the memory of graph memory nodes: no memory nodes here\n"
          "left out: mapping a page: not on this card\n"
          "left out: a graph: not on this card\n");
    const CostProfile base = find_cost_profile(kBase).value();
    const CostProfile found = profile_of(file);
    CHECK(found.times.host.map == base.times.host.map);
    CHECK(found.times.host.unmap != base.times.host.unmap);
    CHECK(found.times.card.node_gap == base.times.card.node_gap);
    CHECK(found.times.card.least_kernel == base.times.card.least_kernel);
    CHECK(found.times.card.kernel_gap == truth().times.card.kernel_gap);
    CHECK(found.memory.memory_nodes == base.memory.memory_nodes);
    CHECK(found.memory.context == base.memory.context);
    const std::string text = text_of(file);
    CHECK(text.find("times.host.map,") < text.find("times:\n"));
}

TEST_CASE("without a profile to extend the file says what it lacks", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    CHECK(outcome_of({"--out", file, "--repeat", "1", "--extends", "none"}).status == 0);
    const std::string text = text_of(file);
    CHECK(text.find("extends:") == std::string::npos);
    CHECK(text.find("# Not measured, and yet to be added: framework, times.host.operation, ") !=
          std::string::npos);
    CHECK_THROWS_WITH(profile_of(file), Catch::Matchers::Contains("lacks `framework`"));
}

TEST_CASE("whether driver calls wait for work, and what overlaps, is told", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    const bool waits = GENERATE(false, true);
    const auto change = [waits](gpu::FakeProbes& probes) { probes.malloc_waits = waits; };
    CHECK(outcome_of({"--out", file, "--repeat", "1"}, opener(change)).status == 0);
    const std::string text = text_of(file);
    CHECK((text.find("so it waits for it\n") < text.find("# cudaFree while")) == waits);
    CHECK(text.find("# 3 kernels of half the card: as long as 2.00 of them\n") !=
          std::string::npos);
}

TEST_CASE("without a card there is no file, and a line that says so", "[calibrate]") {
    const Folder folder;
    const std::string file = folder.file("mine.yaml");
    const Ending none = outcome_of({"--out", file, "--device", "1"});
    CHECK(none.status == 3);
    CHECK(none.error == "highwater-gpu: error: there is no GPU 1\n");
    CHECK_FALSE(std::filesystem::exists(file));

    const Ending unbuilt =
        outcome_of({"--out", file, "--modules", folder.file("")}, gpu::open_probes);
    CHECK(unbuilt.status == 3);
    CHECK_THAT(unbuilt.error, Catch::Matchers::Contains("the module calibrate was not built"));
}

TEST_CASE("what cannot be written is told before anything is measured", "[calibrate]") {
    const Folder folder;
    const auto never = [](const std::string&, int) -> std::unique_ptr<gpu::Probes> {
        std::abort();
    };
    const std::string file = folder.file("no/such.yaml");
    const Ending outcome = outcome_of({"--out", file}, never);
    CHECK(outcome.status == 2);
    CHECK(outcome.error == "--out: error: `" + file +
                               "` cannot be written; name a file in a folder that exists and that "
                               "you may write\n");
    CHECK(outcome_of({"--out", folder.file("")}, never).status == 2);
    CHECK(outcome_of({}, never).status == 2);

    const Ending base = outcome_of({"--out", folder.file("m"), "--extends", "h200-cuda12"}, never);
    CHECK(base.status == 2);
    CHECK(base.error ==
          "--extends: error: unknown cost profile `h200-cuda12`; did you mean `h200-cuda13`?\n");
}
