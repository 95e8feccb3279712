#include "sim/report/why_json.hpp"

#include <nlohmann/json.hpp>

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

Json growth_json(const std::optional<Growth>& growth, const WhyNames& names) {
    if (!growth) {
        return nullptr;
    }
    return {{"requested_bytes", growth->requested.count},
            {"stream", names.stream(growth->stream)},
            {"stranded_bytes", stranded_json(growth->stranded)}};
}

Json pool_json(const PoolWhy& pool, const WhyNames& names) {
    Json owners = Json::array();
    for (const auto& [owner, bytes] : pool.owners) {
        owners.push_back({{"owner", owner}, {"allocated_bytes", bytes.count}});
    }
    return {{"id", {pool.pool.first, pool.pool.second}},
            {"name", names.pool(pool.pool)},
            {"reserved_bytes", pool.reserved.count},
            {"allocated_bytes", pool.allocated.count},
            {"free_bytes", pool.free.count},
            {"waiting_bytes", pool.waiting.count},
            {"parked_bytes", pool.parked.count},
            {"held_bytes", pool.held.count},
            {"last_growth", growth_json(pool.last_growth, names)},
            {"owners", std::move(owners)}};
}

Json stream_json(const allocator::PoolStreamBytes& row, const WhyNames& names) {
    return {{"pool", {row.pool.first, row.pool.second}},
            {"kind", row.kind == PoolKind::kSmall ? "small" : "large"},
            {"stream", names.stream(row.stream)},
            {"reserved_bytes", row.reserved.count},
            {"allocated_bytes", row.allocated.count},
            {"free_bytes", row.free.count},
            {"waiting_bytes", row.waiting.count},
            {"parked_bytes", row.parked.count}};
}

Json owner_json(const OwnerRow& row) {
    return {{"owner", row.owner},
            {"blocks", row.blocks},
            {"allocated_bytes", row.allocated.count},
            {"held_alone_bytes", row.holds_alone.count},
            {"segments_alone", row.segments_alone},
            {"held_with_others_bytes", row.holds_with_others.count},
            {"segments_with_others", row.segments_with_others}};
}

}  // namespace

Json stranded_json(const StrandedBytes& stranded) {
    Json json = Json::object();
    for (std::size_t i = 0; i < kStrandedReasons; ++i) {
        json[std::string(kStrandedNames.at(i))] = stranded.by_reason.at(i).count;
    }
    return json;
}

Json why_json(const Why& why, const WhyNames& names) {
    Json json;
    json["request"] = growth_json(why.request, names);
    json["pools"] = Json::array();
    for (const PoolWhy& pool : why.pools) {
        json["pools"].push_back(pool_json(pool, names));
    }
    json["streams"] = Json::array();
    for (const allocator::PoolStreamBytes& row : why.streams) {
        json["streams"].push_back(stream_json(row, names));
    }
    json["owners"] = Json::array();
    for (const OwnerRow& row : why.owners) {
        json["owners"].push_back(owner_json(row));
    }
    return json;
}

Json advice_json(const HistoryAdvice& advice) {
    const auto row = [](const Advice& each) {
        return Json{{"remedy", each.remedy.text},
                    {"options", replay_options(each.remedy)},
                    {"conf", each.remedy.conf ? Json(*each.remedy.conf) : Json(nullptr)},
                    {"peak_reserved_bytes", each.outcome.peak.count},
                    {"reserved_bytes", each.outcome.end.count},
                    {"saved_at_peak_bytes", each.saved_at_peak},
                    {"saved_at_end_bytes", each.saved_at_end}};
    };
    Json json{{"runs", advice.runs}, {"each", Json::array()}, {"together", nullptr}};
    for (const Advice& each : advice.each) {
        json["each"].push_back(row(each));
    }
    if (advice.together) {
        json["together"] = row(*advice.together);
    }
    return json;
}

}  // namespace highwater
