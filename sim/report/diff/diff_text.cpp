// A diff for people and for programs.
#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/printable.hpp"
#include "sim/report/diff/memory_diff.hpp"
#include "sim/report/size_text.hpp"
#include "sim/report/text_table.hpp"

namespace highwater {
namespace {

using Json = nlohmann::ordered_json;

// Of more rows than this, those that grew most and those that shrank most are shown.
constexpr std::size_t kMostRows = 20;

template <typename Number>
std::optional<std::int64_t> growth(const std::optional<Number>& before,
                                   const std::optional<Number>& after) {
    if (!before || !after) {
        return std::nullopt;
    }
    const auto number = [](const Number& value) {
        if constexpr (std::is_same_v<Number, Bytes>) {
            return static_cast<std::int64_t>(value.count);
        } else {
            return static_cast<std::int64_t>(value);
        }
    };
    return number(*after) - number(*before);
}

std::string with_sign(std::int64_t growth, std::string text) {
    return growth > 0 ? "+" + std::move(text) : text;
}

std::string bytes_text(const std::optional<Bytes>& before, const std::optional<Bytes>& after) {
    const auto by = growth(before, after);
    return !by ? "" : *by == 0 ? "same" : with_sign(*by, size_text(*by));
}

std::string count_text(const std::optional<std::uint64_t>& before,
                       const std::optional<std::uint64_t>& after) {
    const auto by = growth(before, after);
    return !by ? "" : *by == 0 ? "same" : with_sign(*by, grouped(*by));
}

std::string optional_size(const std::optional<Bytes>& size) {
    return size ? size_text(*size) : "";
}

void add_row(TextTable& table, const PartChange& change) {
    table.add_row({change.name,
                   bytes_text(change.before.reserved, change.after.reserved),
                   bytes_text(change.before.allocated, change.after.allocated),
                   count_text(change.before.segments, change.after.segments),
                   optional_size(change.after.reserved),
                   optional_size(change.after.allocated)});
}

std::string table_of(const std::string& title, const std::vector<PartChange>& changes) {
    if (changes.empty()) {
        return {};
    }
    TextTable table({{title, kLeft},
                     {"reserved"},
                     {"allocated"},
                     {"segments"},
                     {"reserved after"},
                     {"allocated after"}});
    const std::size_t left_out = changes.size() > kMostRows ? changes.size() - kMostRows : 0;
    const std::size_t first = left_out > 0 ? kMostRows / 2 : changes.size();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        if (i == first) {
            table.add_row({fmt::format("  {} more between", left_out), "", "", "", "", ""});
        }
        if (i < first || i >= first + left_out) {
            add_row(table, changes[i]);
        }
    }
    return table.text();
}

Json sizes_json(const PartSizes& sizes) {
    const auto number = [](const auto& value, auto read) {
        return value ? Json(read(*value)) : Json(nullptr);
    };
    return {{"allocated_bytes", number(sizes.allocated, [](Bytes bytes) { return bytes.count; })},
            {"reserved_bytes", number(sizes.reserved, [](Bytes bytes) { return bytes.count; })},
            {"segment", number(sizes.segments, [](std::uint64_t count) { return count; })}};
}

Json change_json(const PartChange& change) {
    const auto number = [](const std::optional<std::int64_t>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    return {{"name", change.name},
            {"growth",
             {{"allocated_bytes", number(growth(change.before.allocated, change.after.allocated))},
              {"reserved_bytes", number(growth(change.before.reserved, change.after.reserved))},
              {"segment", number(growth(change.before.segments, change.after.segments))}}},
            {"before", sizes_json(change.before)},
            {"after", sizes_json(change.after)}};
}

Json changes_json(const std::vector<PartChange>& changes) {
    Json rows = Json::array();
    std::ranges::transform(changes, std::back_inserter(rows), change_json);
    return rows;
}

}  // namespace

std::string diff_tables(const MemoryDiff& diff) {
    std::string text = diff.is_same() ? "the same memory\n" : table_of("memory", {diff.total});
    for (const std::string& table : {table_of("pool", diff.pools),
                                     table_of("stream", diff.streams),
                                     table_of("owner", diff.owners)}) {
        text += table.empty() ? table : '\n' + table;
    }
    for (const std::string& notice : diff.notices) {
        text += fmt::format("\n{}\n", printable(notice));
    }
    return text;
}

Json diff_json(const MemoryDiff& diff) {
    Json json;
    json["same"] = diff.is_same();
    json["total"] = change_json(diff.total);
    json["pools"] = changes_json(diff.pools);
    json["streams"] = changes_json(diff.streams);
    json["owners"] = changes_json(diff.owners);
    json["notices"] = diff.notices;
    return json;
}

}  // namespace highwater
