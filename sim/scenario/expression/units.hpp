#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

struct Unit {
    enum class Measures { kBytes, kNanoseconds };

    std::string_view name;
    /// In bytes, or in nanoseconds.
    std::int64_t count = 0;
    Measures measures = Measures::kBytes;
};

/// The units of size and of time: `8 MiB`, `5 us`, and `temp_mib * MiB`.
inline constexpr std::array<Unit, 13> kUnits{{
    {"B", 1},
    {"KiB", std::int64_t{1} << 10},
    {"MiB", std::int64_t{1} << 20},
    {"GiB", std::int64_t{1} << 30},
    {"TiB", std::int64_t{1} << 40},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
    {"ns", 1, Unit::Measures::kNanoseconds},
    {"us", 1'000, Unit::Measures::kNanoseconds},
    {"ms", 1'000'000, Unit::Measures::kNanoseconds},
    {"s", 1'000'000'000, Unit::Measures::kNanoseconds},
}};

/// The unit behind a number: `2 s`.
constexpr std::optional<Unit> find_unit(std::string_view name) {
    for (const Unit& unit : kUnits) {
        if (unit.name == name) {
            return unit;
        }
    }
    return std::nullopt;
}

/// The value of a unit that stands for itself: `n * MiB`. A lone `s` does not: it is the name that
/// scenarios like to give a stream or a tensor.
constexpr std::optional<std::int64_t> unit_value(std::string_view name) {
    const std::optional<Unit> unit = name == "s" ? std::nullopt : find_unit(name);
    return unit ? std::optional<std::int64_t>(unit->count) : std::nullopt;
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
