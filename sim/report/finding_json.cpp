#include "sim/report/finding_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/report/why_json.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json place_json(const std::optional<SourcePlace>& place) {
    return place ? Json{{"file", place->file}, {"line", place->line}, {"column", place->column}}
                 : Json(nullptr);
}

}  // namespace

Json hazards_json(const RunReport& run) {
    Json rows = Json::array();
    for (const HazardRow& row : run.hazards) {
        rows.push_back({{"kind", name_of(row.kind)},
                        {"count", row.count},
                        {"first", place_json(row.first)},
                        {"second", place_json(row.second)},
                        {"problem", row.problem},
                        {"remedy", row.remedy}});
    }
    return rows;
}

Json driver_json(const Ledger& ledger) {
    if (!ledger.driver) {
        return nullptr;
    }
    Json rows = Json::array();
    for (const DriverTerm& term : *ledger.driver) {
        rows.push_back({{"what", name_of(term.what)},
                        {"name", term.name},
                        {"bytes", term.bytes.count},
                        {"error_bytes", term.error.count},
                        {"source", term.source}});
    }
    return rows;
}

Json stranded_json(const PoolRow& pool) {
    if (!pool.last_growth && pool.high_water > Bytes{0}) {
        return nullptr;
    }
    return stranded_json(pool.last_growth.value_or(Growth{}).stranded);
}

Json last_growth_json(const RunReport& run, const PoolRow& pool) {
    if (!pool.last_growth) {
        return nullptr;
    }
    return {{"requested_bytes", pool.last_growth->requested.count},
            {"stream", names_of(run, pool.last_growth->stream).front()}};
}

Json bounds_json(const RunReport& run) {
    const auto size = [](const std::optional<Bytes>& bytes) {
        return bytes ? Json(bytes->count) : Json(nullptr);
    };
    Json rows = Json::array();
    for (const PoolBounds& bounds : run.bounds) {
        rows.push_back({{"pool", run.ledger.pools.at(bounds.pool).name},
                        {"high_water_bytes", bounds.high_water.count},
                        {"largest_live_bytes", bounds.largest_live.count},
                        {"any_schedule_bytes", size(bounds.any_schedule)},
                        {"packed_bytes", size(bounds.packed)},
                        {"is_packing_optimal", bounds.is_packing_optimal}});
    }
    return rows;
}

}  // namespace highwater
