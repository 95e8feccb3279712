#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

struct Unit {
    std::string_view name;
    std::int64_t bytes = 0;
};

/// The units of size: `8 MiB`, and `temp_mib * MiB`.
inline constexpr std::array<Unit, 9> kUnits{{
    {"B", 1},
    {"KiB", std::int64_t{1} << 10},
    {"MiB", std::int64_t{1} << 20},
    {"GiB", std::int64_t{1} << 30},
    {"TiB", std::int64_t{1} << 40},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
}};

constexpr std::optional<std::int64_t> unit_bytes(std::string_view name) {
    for (const Unit& unit : kUnits) {
        if (unit.name == name) {
            return unit.bytes;
        }
    }
    return std::nullopt;
}

/// Every unit's name, for "did you mean".
inline std::vector<std::string> unit_names() {
    std::vector<std::string> names;
    names.reserve(kUnits.size());
    for (const Unit& unit : kUnits) {
        names.emplace_back(unit.name);
    }
    return names;
}

}  // namespace highwater
