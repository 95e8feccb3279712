#include "sim/report/hazard_rows.hpp"

#include "sim/hazards/hazard_text.hpp"

namespace highwater {
namespace {

// Of what a replay runs the place that counts is where it was captured.
std::optional<SourcePlace> place_of(const Program& program, const HazardSide& side) {
    const std::size_t op = side.captured_op.value_or(side.op);
    return op < program.places.size() ? std::optional(program.places[op]) : std::nullopt;
}

}  // namespace

std::vector<HazardRow> hazard_rows(const Program& program, const std::vector<Hazard>& hazards) {
    std::vector<HazardRow> rows;
    for (const Hazard& hazard : hazards) {
        rows.push_back({hazard.kind,
                        hazard.count,
                        hazard_problem(program, hazard),
                        hazard_remedy(program, hazard),
                        place_of(program, hazard.first),
                        place_of(program, hazard.second),
                        hazard_text(program, hazard)});
    }
    return rows;
}

}  // namespace highwater
