#include "gpu/calibrate/samples.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gpu/calibrate/plan.hpp"
#include "gpu/isolated.hpp"
#include "gpu/refused_error.hpp"
#include "sim/core/check.hpp"

namespace highwater::gpu {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::vector<Bytes>& sizes) {
    Words words;
    for (const Bytes size : sizes) {
        words.push_back(std::to_string(size.count));
    }
    return words;
}

std::vector<Bytes> sizes_of(const Words& words) {
    std::vector<Bytes> sizes;
    for (const std::string& word : words) {
        sizes.push_back(Bytes{std::stoull(word)});
    }
    return sizes;
}

Words words_of(const CardFacts& facts) {
    return {facts.name,
            std::to_string(facts.multiprocessors),
            std::to_string(facts.compute_major),
            std::to_string(facts.compute_minor),
            std::to_string(facts.total_memory.count),
            facts.driver,
            std::to_string(facts.driver_cuda),
            std::to_string(facts.runtime_cuda),
            facts.other_processes ? std::to_string(*facts.other_processes) : ""};
}

CardFacts facts_of(const Words& words) {
    std::size_t at = 0;
    const auto next = [&]() -> const std::string& { return words.at(at++); };
    CardFacts facts;
    facts.name = next();
    facts.multiprocessors = std::stoi(next());
    facts.compute_major = std::stoi(next());
    facts.compute_minor = std::stoi(next());
    facts.total_memory = Bytes{std::stoull(next())};
    facts.driver = next();
    facts.driver_cuda = std::stoi(next());
    facts.runtime_cuda = std::stoi(next());
    if (const std::string& others = next(); !others.empty()) {
        facts.other_processes = std::stoull(others);
    }
    return facts;
}

// A number, or why there is none behind a `!`.
std::string word_of(const std::function<std::uint64_t()>& probe) {
    try {
        return std::to_string(probe());
    } catch (const std::exception& error) {
        return fmt::format("!{}", error.what());
    }
}

const char* name_of(Timed what) {
    switch (what) {
        case Timed::kLaunch:
        case Timed::kLaunchIdle:
        case Timed::kLaunchSeen:
            return "the launch of a kernel";
        case Timed::kRecordEvent:
        case Timed::kWaitEvent:
        case Timed::kQueryEvent:
        case Timed::kSynchronize:
            return "an event or a stream";
        case Timed::kMalloc:
        case Timed::kFree:
        case Timed::kFreeBehindWork:
        case Timed::kMallocBehindWork:
            return "cudaMalloc and cudaFree";
        case Timed::kMap:
        case Timed::kUnmap:
        case Timed::kReserve:
            return "mapping a page";
        case Timed::kCapture:
        case Timed::kCaptureNode:
        case Timed::kInstantiate:
        case Timed::kInstantiateJoins:
        case Timed::kGraphLaunch:
        case Timed::kGraphChain:
        case Timed::kGraphJoins:
        case Timed::kEmptyGraphChain:
            return "a graph";
        default:
            return "work of the card";
    }
}

class Sampler {
  public:
    explicit Sampler(const Measuring& measuring) : measuring_(measuring) {
        samples_.repeats = measuring.repeats;
    }

    Samples take() {
        take_facts();
        take_memory();
        for (std::size_t i = 0; i < measuring_.repeats; ++i) {
            take_times(i);
        }
        return samples_;
    }

  private:
    using Call = std::function<Words(Probes&)>;

    // The process ends, and with it all that the probes have of the card.
    Ended ended(const Call& call) const {
        return run_isolated(
            [&] { return call(*measuring_.open(measuring_.modules, measuring_.device).release()); },
            measuring_.limit);
    }

    void note(const std::string& what, const std::string& why) {
        const std::string notice = fmt::format("{}: {}", what, why);
        if (std::ranges::find(samples_.notices, notice) == samples_.notices.end()) {
            samples_.notices.push_back(notice);
        }
    }

    std::vector<Bytes> sizes(const std::string& what, const Call& call) {
        const Ended run = ended(call);
        if (run.how != Ended::How::kDone) {
            note(what, run.reason);
            return {};
        }
        return sizes_of(run.parts);
    }

    void take_facts() {
        const Ended run = ended([](Probes& probes) { return words_of(probes.facts()); });
        if (run.how != Ended::How::kDone) {
            throw NoMeasurement(run.reason);
        }
        samples_.facts = facts_of(run.parts);
    }

    void take_memory() {
        samples_.streams = sizes("the memory of streams", [](Probes& probes) {
            return words_of(probes.memory_of_streams(kStreamsTried));
        });
        samples_.mallocs = sizes("the granularity of memory", [](Probes& probes) {
            return words_of(probes.memory_of_mallocs(kMallocTried, kMallocsTried));
        });
        for (const std::vector<GraphForm>& forms : graph_sequences()) {
            const std::vector<Bytes> grown = sizes("the memory of graphs", [&](Probes& probes) {
                return words_of(probes.memory_of_graphs(forms));
            });
            if (!grown.empty()) {
                samples_.graphs.push_back({forms, grown});
            }
        }
        for (const Bytes size : node_sizes()) {
            const std::vector<Bytes> grown =
                sizes("the memory of graph memory nodes",
                      [&](Probes& probes) { return words_of({probes.memory_of_nodes(size)}); });
            samples_.nodes.insert(samples_.nodes.end(), grown.begin(), grown.end());
        }
    }

    void take_times(std::size_t repeat) {
        const std::vector<TimeProbe> probes = time_probes();
        const Ended run = ended([&](Probes& card) {
            Words words{word_of([&] { return card.launch_queue(); })};
            for (const TimeProbe& probe : probes) {
                words.push_back(word_of([&] {
                    return static_cast<std::uint64_t>(card.time(probe.what, probe.n).count());
                }));
            }
            return words;
        });
        if (run.how != Ended::How::kDone) {
            note("times", run.reason);
            return;
        }
        samples_.launch_queue.resize(measuring_.repeats);
        samples_.launch_queue[repeat] = value_of("the launch queue", run.parts.at(0));
        for (std::size_t i = 0; i < probes.size(); ++i) {
            std::vector<std::optional<double>>& values = samples_.times[probes[i]];
            values.resize(measuring_.repeats);
            values[repeat] = value_of(name_of(probes[i].what), run.parts.at(i + 1));
        }
    }

    std::optional<double> value_of(const std::string& what, const std::string& word) {
        if (word.starts_with('!')) {
            note(what, word.substr(1));
            return std::nullopt;
        }
        return std::stod(word);
    }

    const Measuring& measuring_;
    Samples samples_;
};

}  // namespace

Samples take_samples(const Measuring& measuring) {
    return Sampler(measuring).take();
}

}  // namespace highwater::gpu
