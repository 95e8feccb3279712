#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/engine/program.hpp"
#include "sim/hazards/hazard.hpp"

namespace highwater {

/// A hazard in words, with where its operations were written.
struct HazardRow {
    HazardKind kind{};
    std::uint64_t count = 0;
    std::string problem;
    std::string remedy;
    std::optional<SourcePlace> first;
    std::optional<SourcePlace> second;
    /// `FILE:LINE: what is wrong; what to do`.
    std::string line;
};

std::vector<HazardRow> hazard_rows(const Program& program, const std::vector<Hazard>& hazards);

}  // namespace highwater
