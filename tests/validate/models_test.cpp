// Whole PyTorch programs as they were measured on an H200: a decoder, a diffusion transformer and a
// prefill captured in pieces, 193 runs of them. Figures, growth by bucket and every trace event of
// the scenarios' runs against those of the card. The 68 whose names begin with `later` have random
// parameters, and were recorded when the scenarios were done.
#include <map>

#include <nlohmann/json.hpp>

#include "sim/allocator/ascending_memory.hpp"
#include "sim/engine/executor.hpp"
#include "sim/scenario/load_scenario.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/snapshot/gzip_lines.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/event_log.hpp"

namespace highwater {

namespace {

using nlohmann::json;

// A line a run. `requests` and `trace` are digests of the events: see `digest_of`.
const std::string kMeasured = HIGHWATER_SOURCE_DIR "/tests/recorded/models.jsonl.gz";
const std::string kScenarios = HIGHWATER_SOURCE_DIR "/scenarios/measured_";

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMostEvents = 4000;
#else
constexpr std::size_t kMostEvents = SIZE_MAX;
#endif

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// By how much the prediction is above the measurement, by figure; `trace` if events differ.
using Differences = std::map<std::string, std::int64_t>;

// The pieces leave many equally large free blocks behind, and the lowest address decides which of
// them serves a request. Addresses here ascend; the driver's do not, quite. All requests are met,
// but another block is split: in five of eight recordings other segments are asked for, or in
// another order, and in two of them what is reserved differs: 2 of 128 MiB and 112 of 856 MiB of
// growth. Nothing else differs, and the other 188 recordings are met exactly.
const std::map<std::string, Differences>& known_differences() {
    static const Differences kOneBlockUnsplit{{"after.active", -1 * kMiB},
                                              {"after.allocated", -1 * kMiB},
                                              {"after.inactive_split", -7 * kMiB},
                                              {"after.peak_allocated", -1 * kMiB},
                                              {"trace", 1}};
    static const std::map<std::string, Differences> kKnown{
        {"pw-asc", kOneBlockUnsplit},
        {"pw-desc", kOneBlockUnsplit},
        {"pw-l4",
         {{"after.inactive_split", 2 * kMiB},
          {"after.reserved", -2 * kMiB},
          {"after.segments", -1},
          {"bucket 128", -2 * kMiB},
          {"trace", 1}}},
        {"pw-l4-h4096",
         {{"after.inactive_split", -32 * kMiB},
          {"after.peak_reserved", -144 * kMiB},
          {"after.reserved", -144 * kMiB},
          {"after.segments", -1},
          {"before.inactive_split", -32 * kMiB},
          {"before.peak_reserved", -32 * kMiB},
          {"before.reserved", -32 * kMiB},
          {"bucket 4096", -112 * kMiB},
          {"trace", 1}}},
        {"pw-weak", {{"trace", 1}}},
    };
    return kKnown;
}

std::string text_of(const Differences& differences) {
    std::string text;
    for (const auto& [figure, difference] : differences) {
        text += fmt::format("{} {:+}\n", figure, difference);
    }
    return text;
}

// FNV-1a.
class Digest {
  public:
    void add(const std::string& text) {
        constexpr std::uint64_t kPrime = 0x100000001b3;
        for (const char each : text) {
            hash_ = (hash_ ^ static_cast<unsigned char>(each)) * kPrime;
        }
    }
    std::string text() const { return fmt::format("{:016x}", hash_); }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325;
};

// Of a line for each event: letter, size, stream, and for those of tensors which of the tensors it
// is. Streams and tensors are numbered as they first appear.
std::string digest_of(const std::vector<TraceEvent>& events, std::string_view letters) {
    Digest digest;
    std::map<StreamId, std::size_t> streams;
    std::map<std::uint64_t, std::size_t> tensors;
    std::size_t allocated = 0;
    for (const TraceEvent& event : events) {
        const char letter = letter_of(event.kind);
        if (letters.find(letter) == std::string_view::npos) {
            continue;
        }
        const std::size_t stream = streams.try_emplace(event.stream, streams.size()).first->second;
        if (letter == 'a') {
            tensors[event.address.value] = allocated++;
        }
        const bool is_of_tensor = std::string_view("aqc").find(letter) != std::string_view::npos;
        digest.add(fmt::format("{} {} {}", letter, event.size.count, stream));
        digest.add(is_of_tensor ? fmt::format(" {}\n", tensors.at(event.address.value)) : "\n");
    }
    return digest.text();
}

// The figures that the recordings have, by their names there.
std::map<std::string, std::uint64_t> figures_of(const MemoryStats& stats) {
    return {{"allocated", stats.allocated_bytes.all.current},
            {"reserved", stats.reserved_bytes.all.current},
            {"active", stats.active_bytes.all.current},
            {"inactive_split", stats.inactive_split_bytes.all.current},
            {"requested", stats.requested_bytes.all.current},
            {"peak_allocated", stats.allocated_bytes.all.peak},
            {"peak_reserved", stats.reserved_bytes.all.peak},
            {"segments", stats.segment.all.current}};
}

Program program_of(const json& measured) {
    const std::string file = kScenarios + measured["program"].get<std::string>() + ".yaml";
    const Scenario scenario = load_scenario(read_scenario_file(file), file);
    std::vector<Override> overrides;
    for (const auto& [name, value] : measured["parameters"].items()) {
        overrides.push_back({name, value.get<std::string>()});
    }
    if (measured["conf"] == "expandable_segments:True") {
        overrides.push_back({"expandable_segments", "true"});
    }
    return lower(scenario, resolve_parameters(scenario, overrides)).program;
}

// A run from the checkpoint `before` on.
struct Predicted {
    std::map<std::string, MemoryStats> checkpoints;
    /// What was reserved at the end of each capture.
    std::vector<std::uint64_t> reserved;
    EventLog log;

    explicit Predicted(const Program& program) {
        AscendingMemory memory(program.machine.total_memory);
        Executor executor(program, memory);
        executor.allocator().set_trace(&log);
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            executor.step(i);
            if (const auto* checkpoint = std::get_if<op::Checkpoint>(&program.ops[i])) {
                checkpoints[checkpoint->name] = executor.allocator().stats();
                if (checkpoint->name == "before") {
                    log.events.clear();
                }
            }
            if (std::holds_alternative<op::EndCapture>(program.ops[i])) {
                reserved.push_back(executor.allocator().stats().reserved_bytes.all.current);
            }
        }
    }
};

void add(Differences& differences,
         const std::string& figure,
         std::uint64_t predicted,
         std::uint64_t measured) {
    if (predicted != measured) {
        differences[figure] =
            static_cast<std::int64_t>(predicted) - static_cast<std::int64_t>(measured);
    }
}

void compare_buckets(const json& measured, const Predicted& predicted, Differences& differences) {
    const json& buckets = measured["buckets"];
    const std::size_t captures = predicted.reserved.size() / buckets.size();
    std::uint64_t before = predicted.checkpoints.at("before").reserved_bytes.all.current;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const std::uint64_t reserved = predicted.reserved.at((i + 1) * captures - 1);
        add(differences,
            fmt::format("bucket {}", buckets[i][0].get<int>()),
            reserved,
            before + buckets[i][1].get<std::uint64_t>());
        before = reserved;
    }
}

Differences compare(const json& measured) {
    const Predicted predicted(program_of(measured));
    Differences differences;
    for (const std::string checkpoint : {"before", "after"}) {
        for (const auto& [name, value] : figures_of(predicted.checkpoints.at(checkpoint))) {
            add(differences,
                checkpoint + "." + name,
                value,
                measured[checkpoint][name].get<std::uint64_t>());
        }
    }
    compare_buckets(measured, predicted, differences);
    CHECK(digest_of(predicted.log.events, "aqc") == measured["requests"]);
    add(differences,
        "trace",
        digest_of(predicted.log.events, "aqcSFMU") != measured["trace"] ? 1 : 0,
        0);
    return differences;
}

}  // namespace

TEST_CASE("193 measured runs of whole programs are met, all but a few exactly",
          "[models][measured]") {
    GzipLines lines(kMeasured);
    std::size_t runs = 0;
    while (const auto line = lines.next()) {
        const json measured = json::parse(*line);
        ++runs;
        if (measured["events"].get<std::size_t>() > kMostEvents) {
            continue;
        }
        const std::string name = measured["name"];
        INFO(name);
        const auto known = known_differences().find(name);
        CHECK(text_of(compare(measured)) ==
              text_of(known == known_differences().end() ? Differences() : known->second));
    }
    CHECK(runs == 193);
}

}  // namespace highwater
