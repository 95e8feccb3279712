#include "validate/compare/given_rest.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace highwater {
namespace {

using What = FigurePlace::What;

std::size_t checkpoints_before(const Program& program, std::size_t op) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < op; ++i) {
        count += std::holds_alternative<op::Checkpoint>(program.ops[i]) ? 1U : 0U;
    }
    return count;
}

std::optional<std::int64_t> figure_at(const RunFigures& run,
                                      std::size_t checkpoint,
                                      const std::string& name) {
    for (const PlaceFigures& place : run.places) {
        if (place.place.what == What::kCheckpoint && checkpoint-- == 0) {
            const auto found = std::ranges::find(place.figures, name, &RunFigure::name);
            return found == place.figures.end() ? std::nullopt : std::optional(found->value);
        }
    }
    return std::nullopt;
}

std::int64_t signed_count(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

Verdict verdict_of_rest(std::int64_t off, std::optional<std::int64_t> tolerance) {
    if (off == 0) {
        return Verdict::kEqual;
    }
    if (!tolerance) {
        return Verdict::kNoted;
    }
    return std::abs(off) <= *tolerance ? Verdict::kWithin : Verdict::kOut;
}

std::optional<Bytes> card_of(const MeasuredRun& measured,
                             const CheckpointRow& predicted,
                             std::size_t checkpoint) {
    const auto driver = figure_at(measured.figures, checkpoint, "driver_bytes");
    if (!driver) {
        return std::nullopt;
    }
    const std::int64_t card =
        signed_count(measured.card_size) - *driver + signed_count(predicted.driver);
    return card > 0 ? std::optional(Bytes{static_cast<std::uint64_t>(card)}) : std::nullopt;
}

std::optional<MeasuredRest> rest_at(const Program& program,
                                    const Ledger& predicted,
                                    const MeasuredRun& measured,
                                    std::size_t op) {
    const std::size_t checkpoint = checkpoints_before(program, op);
    const auto placement = std::ranges::find(predicted.placements, op, &Placement::op);
    const auto requested = figure_at(measured.figures, checkpoint, "requested_bytes");
    if (placement == predicted.placements.end() || !requested ||
        checkpoint >= predicted.checkpoints.size()) {
        return std::nullopt;
    }
    const CheckpointRow& row = predicted.checkpoints[checkpoint];
    const std::int64_t size = signed_count(placement->size);
    const std::int64_t off =
        *requested - static_cast<std::int64_t>(row.stats.requested_bytes.all.current);
    if (size + off <= 0) {
        return std::nullopt;
    }
    const auto& rest = std::get<op::AllocRest>(program.ops[op]);
    ComparedFigure figure{{What::kRest, program.tensors.at(index_of(rest.tensor)), ""},
                          "size_bytes",
                          FigureKind::kDriver,
                          size,
                          size + off,
                          {},
                          Verdict::kEqual};
    if (predicted.times) {
        figure.tolerance = signed_count(row.driver_error + rest.unit);
    }
    figure.verdict = verdict_of_rest(off, figure.tolerance);
    return MeasuredRest{op,
                        Bytes{static_cast<std::uint64_t>(size + off)},
                        card_of(measured, row, checkpoint),
                        std::move(figure)};
}

}  // namespace

std::optional<MeasuredRest> measured_rest(const Program& program,
                                          const Ledger& predicted,
                                          const MeasuredRun& measured,
                                          std::size_t from) {
    for (std::size_t i = from; i < program.ops.size(); ++i) {
        if (std::holds_alternative<op::AllocRest>(program.ops[i])) {
            if (auto rest = rest_at(program, predicted, measured, i)) {
                return rest;
            }
        }
    }
    return std::nullopt;
}

void fit_card(Program& program, Bytes card) {
    Machine& machine = program.machine;
    if (machine.memory_fraction < 1) {
        machine.memory_fraction *=
            static_cast<double>(machine.total_memory.count) / static_cast<double>(card.count);
    }
    machine.total_memory = card;
}

void give_rest(Program& program, const MeasuredRest& rest) {
    const auto& old = std::get<op::AllocRest>(program.ops.at(rest.op));
    program.ops[rest.op] = op::Alloc{old.tensor, rest.measured, old.stream};
}

}  // namespace highwater
