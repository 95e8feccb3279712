#include "gpu/measurement_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/capture/node_kind.hpp"
#include "sim/report/operation_text.hpp"
#include "sim/report/run_json.hpp"

namespace highwater::gpu {
namespace {

using Json = nlohmann::ordered_json;

std::string version_text(int number) {
    constexpr int kMajor = 1000;
    return fmt::format("{}.{}", number / kMajor, number % kMajor / 10);
}

Json card_json(const CardFacts& card) {
    Json json;
    json["name"] = card.name;
    json["multiprocessors"] = card.multiprocessors;
    json["compute_capability"] = fmt::format("{}.{}", card.compute_major, card.compute_minor);
    json["total_bytes"] = card.total_memory.count;
    json["driver"] = card.driver;
    json["driver_cuda"] = version_text(card.driver_cuda);
    json["cuda"] = version_text(card.runtime_cuda);
    json["other_processes"] = card.other_processes ? Json(*card.other_processes) : Json(nullptr);
    return json;
}

Json checkpoints_json(const Measurement& measurement) {
    Json rows = Json::array();
    for (const CheckpointRow& row : measurement.ledger.checkpoints) {
        const std::uint64_t reserved = row.stats.reserved_bytes.all.current;
        rows.push_back({{"name", row.name},
                        {"used_bytes", row.driver.count + reserved},
                        {"driver_bytes", row.driver.count}});
    }
    return rows;
}

Json graphs_json(const Point& point, const Measurement& measurement) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < measurement.graphs.size(); ++i) {
        const MeasuredGraph& graph = measurement.graphs[i];
        const GraphRow& row = measurement.ledger.graphs.at(i);
        Json kinds = Json::object();
        for (const auto& [kind, count] : graph.shape.kinds) {
            kinds[std::string(name_of(kind))] = count;
        }
        Json replays = Json::array();
        for (const Duration time : graph.replays) {
            replays.push_back(time.count());
        }
        rows.push_back({{"graph", point.program.graphs.at(index_of(row.graph))},
                        {"kinds", std::move(kinds)},
                        {"roots", graph.shape.roots},
                        {"leaves", graph.shape.leaves},
                        {"replay_ns", std::move(replays)}});
    }
    return rows;
}

Json corruption_json(const Point& point, const Measurement& measurement) {
    std::uint64_t words = 0;
    Json rows = Json::array();
    for (const Corruption& found : measurement.corruption) {
        words += found.words;
        Json row{{"op", found.op},
                 {"text", operation_text(point.program, point.program.ops.at(found.op))},
                 {"words", found.words}};
        if (found.op < point.program.places.size()) {
            row["line"] = point.program.places[found.op].line;
        }
        rows.push_back(std::move(row));
    }
    return {{"words", words},
            {"verified_reads", measurement.verified_reads},
            {"unverified_reads", measurement.unverified_reads},
            {"operations", std::move(rows)}};
}

Json collectives_json(const Point& point, const Measurement& measurement) {
    Json environment = Json::object();
    for (const auto& [name, value] : measurement.collective_environment) {
        environment[name] = value;
    }
    Json rows = Json::array();
    for (const MeasuredCollective& each : measurement.collectives) {
        rows.push_back(
            {{"op", each.op},
             {"text", operation_text(point.program, point.program.ops.at(each.op))},
             {"taken_bytes", each.taken_bytes},
             {"host_ns", each.host_time.count()},
             {"card_ns", each.card_time ? Json(each.card_time->count()) : Json(nullptr)}});
    }
    return {{"library", measurement.collective_library},
            {"environment", std::move(environment)},
            {"operations", std::move(rows)}};
}

Json figures_json(const Measurement& measurement) {
    Json json = Json::object();
    for (const auto& [name, value] : measurement.figures) {
        json[name] = value;
    }
    return json;
}

void leave_out_unmeasured(Json& json) {
    json["hazards"] = nullptr;
    json["streams"] = nullptr;
    for (const char* name : {"card_busy_ns", "host_bound_ns", "host_waited_ns"}) {
        json["result"][name] = nullptr;
    }
    for (Json& graph : json["graphs"]) {
        graph["critical_path_ns"] = nullptr;
    }
}

}  // namespace

Json measurement_json(const Point& point, const Measurement& measurement) {
    Json json = run_json(report_of(point, measurement));
    leave_out_unmeasured(json);
    json["notices"] = measurement.warnings;
    Json& measured = json["measured"];
    measured["backend"] = measurement.backend;
    measured["framework"] =
        measurement.framework.empty() ? Json(nullptr) : Json(measurement.framework);
    measured["card"] = card_json(measurement.card);
    measured["ballast_bytes"] = measurement.ballast.count;
    measured["checkpoints"] = checkpoints_json(measurement);
    measured["graphs"] = graphs_json(point, measurement);
    measured["corruption"] = corruption_json(point, measurement);
    measured["figures"] = figures_json(measurement);
    if (measurement.rank.count > 1) {
        measured["rank"] = measurement.rank.number;
        measured["device"] = measurement.rank.device;
    }
    if (!measurement.collectives.empty()) {
        measured["collectives"] = collectives_json(point, measurement);
    }
    return json;
}

}  // namespace highwater::gpu
