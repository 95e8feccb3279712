#include "sim/report/run_json.hpp"

#include <variant>

#include <nlohmann/json.hpp>

#include "sim/report/finding_json.hpp"
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

Json time_json(bool has_times, Instant time) {
    return has_times ? Json(nanoseconds_of(time)) : Json(nullptr);
}

void add_stats(Json& json, const MemoryStats& stats, const Json& driver_bytes) {
    json["allocated_bytes"] = stats.allocated_bytes.all.current;
    json["reserved_bytes"] = stats.reserved_bytes.all.current;
    json["active_bytes"] = stats.active_bytes.all.current;
    json["inactive_split_bytes"] = stats.inactive_split_bytes.all.current;
    json["requested_bytes"] = stats.requested_bytes.all.current;
    json["peak_allocated_bytes"] = stats.allocated_bytes.all.peak;
    json["peak_reserved_bytes"] = stats.reserved_bytes.all.peak;
    json["segment"] = stats.segment.all.current;
    json["driver_bytes"] = driver_bytes;
}

Json driver_bytes(const Ledger& ledger, Bytes bytes) {
    return ledger.driver ? Json(bytes.count) : Json(nullptr);
}

Json checkpoints_json(const Ledger& ledger) {
    Json rows = Json::array();
    for (const CheckpointRow& checkpoint : ledger.checkpoints) {
        Json row;
        row["name"] = checkpoint.name;
        row["time_ns"] = time_json(ledger.times.has_value(), checkpoint.time);
        add_stats(row, checkpoint.stats, driver_bytes(ledger, checkpoint.driver));
        row["driver_error_bytes"] = driver_bytes(ledger, checkpoint.driver_error);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json result_json(const Ledger& ledger) {
    const MemoryStats& stats = ledger.result;
    const RunTimes times = ledger.times.value_or(RunTimes{});
    const Json end = time_json(ledger.times.has_value(), times.end);
    Json result;
    result["time_ns"] = end;
    add_stats(result, stats, driver_bytes(ledger, driver_total(ledger)));
    result["num_alloc_retries"] = stats.num_alloc_retries;
    result["num_ooms"] = stats.num_ooms;
    result["num_device_alloc"] = stats.num_device_alloc;
    result["num_device_free"] = stats.num_device_free;
    result["elapsed_ns"] = end;
    if (ledger.times) {
        result["card_busy_ns"] = times.card_busy.count();
        result["host_bound_ns"] = times.host_bound.count();
        result["host_waited_ns"] = times.host_waited.count();
    }
    return result;
}

Json busy_streams_json(const RunReport& run) {
    if (!run.ledger.times) {
        return nullptr;
    }
    Json rows = Json::array();
    for (const StreamTime& row : run.ledger.times->streams) {
        rows.push_back({{"stream", run.program_streams.at(index_of(row.stream))},
                        {"busy_ns", row.busy.count()}});
    }
    return rows;
}

Json graphs_json(const RunReport& run) {
    const bool has_times = run.ledger.times.has_value();
    const auto time = [&](Duration value) {
        return has_times ? Json(value.count()) : Json(nullptr);
    };
    Json rows = Json::array();
    for (const GraphRow& row : run.ledger.graphs) {
        rows.push_back(
            {{"graph", run.graphs.at(index_of(row.graph))},
             {"nodes", row.nodes},
             {"edges", row.edges},
             {"forks", row.forks},
             {"joins", row.joins},
             {"width", row.width},
             {"is_width_exact", row.is_width_exact},
             {"critical_path_ns", time(row.critical_path)},
             {"driver_bytes", has_times ? Json(row.driver.count) : Json(nullptr)},
             {"capture_ns", time(row.capture_time)},
             {"instantiate_ns", time(row.instantiate_time)},
             {"replays", row.replays},
             {"replay_ns",
              row.replays == 0 ? Json(nullptr)
                               : time(row.replay_time / static_cast<std::int64_t>(row.replays))}});
    }
    return rows;
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
                        {"stranded_bytes", stranded_json(pool)},
                        {"last_growth", last_growth_json(run, pool)},
                        {"streams", streams_json(run, pool)}});
    }
    return rows;
}

Json cause_json(std::size_t op, const FailedOperation::Cause& cause) {
    Json json;
    json["op"] = op;
    if (cause.place) {
        json["file"] = cause.place->file;
        json["line"] = cause.place->line;
        json["column"] = cause.place->column;
    }
    json["operation"] = cause.text;
    return json;
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
    if (failure.cuda_error) {
        json["cuda_error"] = {{"number", static_cast<int>(*failure.cuda_error)},
                              {"name", name_of(*failure.cuda_error)}};
    }
    if (!failure.remedy.empty()) {
        json["remedy"] = failure.remedy;
    }
    if (failed.cause) {
        json["cause"] = cause_json(failure.cause.value(), *failed.cause);
    }
    return json;
}

Json caught_json(const RunReport& run) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < run.caught.size(); ++i) {
        Json row;
        row["try"] = run.ledger.caught.at(i).tried;
        row.update(failure_json(run.ledger.caught[i], run.caught[i]));
        rows.push_back(std::move(row));
    }
    return rows;
}

Json served_json(const RunReport& run) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < run.served.size(); ++i) {
        const ServedBucket& row = run.served[i];
        Json json;
        json["bucket"] = row.bucket ? Json(*row.bucket) : Json(nullptr);
        json["batches"] = row.batches;
        json["rows"] = row.rows;
        json["padding"] = row.padding;
        if (i < run.padding_times.size()) {
            const auto& time = run.padding_times[i];
            json["padding_ns"] = time ? Json(time->count()) : Json(nullptr);
        }
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
    json["checkpoints"] = checkpoints_json(run.ledger);
    json["result"] = result_json(run.ledger);
    json["measures"] = fields_json(run.measures);
    for (const std::string& unknown : run.unknown_measures) {
        json["measures"][unknown] = nullptr;
    }
    json["pools"] = pools_json(run);
    json["streams"] = busy_streams_json(run);
    json["driver"] = driver_json(run.ledger);
    json["graphs"] = graphs_json(run);
    if (!run.served.empty()) {
        json["served"] = served_json(run);
    }
    json["hazards"] = hazards_json(run);
    if (run.unlisted_hazards > 0) {
        json["unlisted_hazards"] = run.unlisted_hazards;
    }
    if (!run.bounds.empty()) {
        json["bounds"] = bounds_json(run);
    }
    json["notices"] = notices(run);
    if (!run.caught.empty()) {
        json["caught"] = caught_json(run);
    }
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
