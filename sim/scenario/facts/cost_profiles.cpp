#include "sim/scenario/facts/cost_profiles.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/scenario/facts/quantities.hpp"
#include "sim/scenario/text/presets.hpp"
#include "sim/scenario/text/source_text.hpp"
#include "sim/scenario/text/suggestion.hpp"
#include "sim/scenario/text/yaml_document.hpp"
#include "sim/scenario/text/yaml_reader.hpp"

namespace highwater {
namespace {

using Rates = std::map<std::string, double, std::less<>>;

void read(const YamlReader& value, std::string& text) {
    const PlacedText& given = value.scalar("a text");
    if (given.text.empty()) {
        throw InputError(given.place, "an empty text", "say what it is");
    }
    text = given.text;
}

void read(const YamlReader& value, Duration& time) {
    time = quantity::time(value.scalar("a time"));
}

void read(const YamlReader& value, Bytes& size) {
    size = quantity::size(value.scalar("a size"));
}

void read(const YamlReader& value, double& number) {
    number = quantity::number(value.scalar("a number"));
}

void read(const YamlReader& value, std::uint64_t& count) {
    const PlacedText& text = value.scalar("a count");
    const double number = quantity::number(text);
    constexpr double kMost = 1e9;
    if (number > kMost || std::floor(number) != number) {
        throw InputError(text.place,
                         fmt::format("`{}` where a count should be", quoted(text.text)),
                         "write a whole number");
    }
    count = static_cast<std::uint64_t>(number);
}

void read(const YamlReader& value, CostCurve& curve) {
    curve = quantity::curve(value);
}

void read(const YamlReader& value, Rates& rates) {
    for (const YamlReader::Entry& entry : value.few_entries("a map of rates")) {
        read(entry.value, rates[entry.key.text]);
    }
}

/// Must every key be there? Not where a profile extends another, whose values then stand.
enum class Demands { kAll, kNone };

template <typename Owner>
struct Key {
    std::string_view name;
    std::function<void(const YamlReader&, Demands, Owner&)> read;
    /// Of a map: the keys in it, as paths.
    std::vector<std::string> inner;
};

/// Every key of a map has a field of `Owner`.
template <typename Owner>
struct Table {
    std::string_view what;
    std::vector<Key<Owner>> keys;
};

template <typename Owner>
std::vector<std::string> names_of(const Table<Owner>& table) {
    std::vector<std::string> names;
    for (const Key<Owner>& key : table.keys) {
        names.emplace_back(key.name);
    }
    return names;
}

template <typename Owner>
std::vector<std::string> paths_of(const Table<Owner>& table) {
    std::vector<std::string> paths;
    for (const Key<Owner>& key : table.keys) {
        for (const std::string& path : key.inner) {
            paths.push_back(fmt::format("{}.{}", key.name, path));
        }
        if (key.inner.empty()) {
            paths.emplace_back(key.name);
        }
    }
    return paths;
}

template <typename Owner>
void read_keys(const YamlReader& map, const Table<Owner>& table, Demands demands, Owner& made) {
    for (const Key<Owner>& key : table.keys) {
        if (demands == Demands::kAll) {
            key.read(map.require(key.name, table.what), demands, made);
        } else if (const std::optional<YamlReader> value = map.find(key.name)) {
            key.read(*value, demands, made);
        }
    }
}

template <typename Owner, typename Field>
Key<Owner> key(std::string_view name, Field Owner::*field) {
    return {name,
            [field](const YamlReader& value, Demands, Owner& owner) { read(value, owner.*field); },
            {}};
}

template <typename Owner, typename Part>
Key<Owner> key(std::string_view name, Part Owner::*part, const Table<Part>& table) {
    return {name,
            [part, &table](const YamlReader& value, Demands demands, Owner& owner) {
                value.require_keys(table.what, names_of(table));
                read_keys(value, table, demands, owner.*part);
            },
            paths_of(table)};
}

// What a profile may say, and must.

const Table<HostTimes> kHost{"the host's times",
                             {key("operation", &HostTimes::operation),
                              key("launch", &HostTimes::launch),
                              key("launch_queue", &HostTimes::launch_queue),
                              key("malloc", &HostTimes::malloc),
                              key("free", &HostTimes::free),
                              key("record_event", &HostTimes::record_event),
                              key("wait_event", &HostTimes::wait_event),
                              key("query_event", &HostTimes::query_event),
                              key("synchronize", &HostTimes::synchronize),
                              key("device_malloc", &HostTimes::device_malloc),
                              key("device_free", &HostTimes::device_free),
                              key("map", &HostTimes::map),
                              key("unmap", &HostTimes::unmap),
                              key("capture", &HostTimes::capture),
                              key("capture_node", &HostTimes::capture_node),
                              key("instantiate", &HostTimes::instantiate),
                              key("instantiate_join", &HostTimes::instantiate_join),
                              key("replay", &HostTimes::replay)}};

const Table<CardTimes> kCard{"the card's times",
                             {key("launch_latency", &CardTimes::launch_latency),
                              key("least_kernel", &CardTimes::least_kernel),
                              key("kernel_base", &CardTimes::kernel_base),
                              key("kernel_gap", &CardTimes::kernel_gap),
                              key("node_gap", &CardTimes::node_gap),
                              key("stream_wait", &CardTimes::stream_wait),
                              key("node_join", &CardTimes::node_join),
                              key("copy_latency", &CardTimes::copy_latency),
                              key("host_to_device", &CardTimes::host_to_device),
                              key("device_to_host", &CardTimes::device_to_host),
                              key("device_to_device", &CardTimes::device_to_device),
                              key("memory_bandwidth", &CardTimes::memory_bandwidth),
                              key("flops", &CardTimes::flops)}};

const Table<TimeProfile> kTimes{
    "the times", {key("host", &TimeProfile::host, kHost), key("card", &TimeProfile::card, kCard)}};

const Table<ErrorBar> kError{
    "an error", {key("absolute", &ErrorBar::absolute), key("relative", &ErrorBar::relative)}};

const Table<FixedMemory> kFixed{"memory that is taken once",
                                {key("bytes", &FixedMemory::bytes),
                                 key("error", &FixedMemory::error, kError),
                                 key("source", &FixedMemory::source)}};

const Table<StreamMemory> kStreams{"the memory of streams",
                                   {key("each", &StreamMemory::each),
                                    key("in_context", &StreamMemory::in_context),
                                    key("error", &StreamMemory::error, kError),
                                    key("source", &StreamMemory::source)}};

const Table<GraphExecCosts> kGraphs{"the memory of graphs",
                                    {key("kernel_node", &GraphExecCosts::kernel_node),
                                     key("kernel_launch", &GraphExecCosts::kernel_launch),
                                     key("graph", &GraphExecCosts::graph),
                                     key("join", &GraphExecCosts::join),
                                     key("in_context", &GraphExecCosts::in_context),
                                     key("error", &GraphExecCosts::error, kError),
                                     key("source", &GraphExecCosts::source)}};

const Table<MemoryNodeCosts> kMemoryNodes{"the memory of graph memory nodes",
                                          {key("step", &MemoryNodeCosts::step),
                                           key("error", &MemoryNodeCosts::error, kError),
                                           key("source", &MemoryNodeCosts::source)}};

const Table<MemoryProfile> kMemory{
    "the memory",
    {key("granularity", &MemoryProfile::granularity),
     key("context", &MemoryProfile::context, kFixed),
     key("modules", &MemoryProfile::modules, kFixed),
     key("streams", &MemoryProfile::streams, kStreams),
     key("graphs", &MemoryProfile::graphs, kGraphs),
     key("memory_nodes", &MemoryProfile::memory_nodes, kMemoryNodes)}};

const Table<CostProfile> kProfile{"a cost profile",
                                  {key("card", &CostProfile::card),
                                   key("driver", &CostProfile::driver),
                                   key("cuda", &CostProfile::cuda),
                                   key("framework", &CostProfile::framework),
                                   key("times", &CostProfile::times, kTimes),
                                   key("memory", &CostProfile::memory, kMemory)}};

constexpr std::string_view kExtends = "extends";

CostProfile extended(const PlacedText& name) {
    if (std::optional<CostProfile> base = find_cost_profile(name.text)) {
        return *std::move(base);
    }
    throw InputError(name.place,
                     fmt::format("unknown cost profile `{}`", quoted(name.text)),
                     suggestion(name.text, cost_profile_names(), ""));
}

}  // namespace

CostProfile parse_cost_profile(const std::string& text,
                               const std::string& name,
                               const std::string& file) {
    const YamlDocument document = parse_yaml(normalised_source(text, file), file);
    const YamlReader map(document, document.root);
    std::vector<std::string> known = names_of(kProfile);
    known.emplace_back(kExtends);
    map.require_keys(kProfile.what, known);
    const std::optional<YamlReader> base = map.find(kExtends);
    CostProfile made = base ? extended(base->scalar("a cost profile's name")) : CostProfile();
    made.name = name;
    read_keys(map, kProfile, base ? Demands::kNone : Demands::kAll, made);
    return made;
}

std::vector<std::string> cost_profile_terms() {
    return paths_of(kProfile);
}

std::optional<CostProfile> find_cost_profile(std::string_view name) {
    for (const Preset& preset : cost_profile_presets()) {
        if (preset.name == name) {
            const std::string file = fmt::format("preset cost profile {}", name);
            return parse_cost_profile(std::string(preset.text), std::string(name), file);
        }
    }
    return std::nullopt;
}

std::vector<std::string> cost_profile_names() {
    std::vector<std::string> names;
    for (const Preset& preset : cost_profile_presets()) {
        names.emplace_back(preset.name);
    }
    return names;
}

}  // namespace highwater
