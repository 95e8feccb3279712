#include "sim/report/run_json.hpp"

#include <variant>

#include <nlohmann/json.hpp>

#include "sim/report/version.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json fields_json(const std::vector<Field>& fields) {
    Json json = Json::object();
    for (const Field& field : fields) {
        std::visit([&](const auto& value) { json[field.name] = value; }, field.value);
    }
    return json;
}

void add_stats(Json& json, const MemoryStats& stats) {
    json["time_ns"] = nullptr;
    json["allocated_bytes"] = stats.allocated_bytes.all.current;
    json["reserved_bytes"] = stats.reserved_bytes.all.current;
    json["active_bytes"] = stats.active_bytes.all.current;
    json["inactive_split_bytes"] = stats.inactive_split_bytes.all.current;
    json["requested_bytes"] = stats.requested_bytes.all.current;
    json["peak_allocated_bytes"] = stats.allocated_bytes.all.peak;
    json["peak_reserved_bytes"] = stats.reserved_bytes.all.peak;
    json["segment"] = stats.segment.all.current;
    json["driver_bytes"] = nullptr;
}

Json checkpoints_json(const std::vector<CheckpointRow>& checkpoints) {
    Json rows = Json::array();
    for (const CheckpointRow& checkpoint : checkpoints) {
        Json row;
        row["name"] = checkpoint.name;
        add_stats(row, checkpoint.stats);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json result_json(const MemoryStats& stats) {
    Json result;
    add_stats(result, stats);
    result["num_alloc_retries"] = stats.num_alloc_retries;
    result["num_ooms"] = stats.num_ooms;
    result["num_device_alloc"] = stats.num_device_alloc;
    result["num_device_free"] = stats.num_device_free;
    result["elapsed_ns"] = nullptr;
    return result;
}

Json streams_json(const RunReport& run, const PoolRow& pool) {
    Json rows = Json::array();
    for (const PoolStreamRow& stream : pool.streams) {
        rows.push_back({{"stream", names_of(run, stream.stream).front()},
                        {"reserved_bytes", stream.reserved.count},
                        {"high_water_bytes", stream.high_water.count}});
    }
    return rows;
}

Json pools_json(const RunReport& run) {
    Json rows = Json::array();
    for (const PoolRow& pool : run.ledger.pools) {
        rows.push_back({{"id", {pool.id.first, pool.id.second}},
                        {"name", pool.name},
                        {"reserved_bytes", pool.reserved.count},
                        {"high_water_bytes", pool.high_water.count},
                        {"allocated_bytes", pool.allocated.count},
                        {"stranded_bytes", nullptr},
                        {"streams", streams_json(run, pool)}});
    }
    return rows;
}

Json failure_json(const Failure& failure, const FailedOperation& failed) {
    Json json;
    json["kind"] = failure.kind == Failure::Kind::kOutOfMemory ? "out_of_memory" : "pytorch_error";
    json["op"] = failure.op;
    if (failed.place) {
        json["file"] = failed.place->file;
        json["line"] = failed.place->line;
        json["column"] = failed.place->column;
    }
    if (failed.tensor && failed.stream) {
        json["tensor"] = *failed.tensor;
        json["stream"] = *failed.stream;
    }
    json["message"] = failure.message;
    return json;
}

Json served_json(const std::vector<ServedBucket>& served) {
    Json rows = Json::array();
    for (const ServedBucket& row : served) {
        Json json;
        json["bucket"] = row.bucket ? Json(*row.bucket) : Json(nullptr);
        json["batches"] = row.batches;
        json["rows"] = row.rows;
        json["padding"] = row.padding;
        rows.push_back(std::move(json));
    }
    return rows;
}

}  // namespace

Json run_json(const RunReport& run) {
    Json json;
    json["highwater"] = version();
    json["scenario"] = run.scenario;
    json["parameters"] = fields_json(run.parameters);
    json["checkpoints"] = checkpoints_json(run.ledger.checkpoints);
    json["result"] = result_json(run.ledger.result);
    json["measures"] = fields_json(run.measures);
    json["pools"] = pools_json(run);
    if (!run.served.empty()) {
        json["served"] = served_json(run.served);
    }
    json["hazards"] = nullptr;
    json["notices"] = notices();
    if (run.ledger.failure) {
        json["failure"] = failure_json(*run.ledger.failure, run.failed.value());
    }
    return json;
}

std::string run_json_text(const RunReport& run) {
    return json_text(run_json(run));
}

std::string json_text(const Json& json) {
    constexpr int kIndent = 2;
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace highwater
