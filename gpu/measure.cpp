#include "gpu/measure.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "gpu/abilities.hpp"
#include "gpu/executor.hpp"
#include "gpu/pool_marks.hpp"
#include "gpu/run_clock.hpp"
#include "sim/allocator/settings_error.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/modelled_settings.hpp"
#include "sim/engine/passing.hpp"

namespace highwater::gpu {
namespace {

constexpr Bytes kPage{2ULL << 20U};

// By name.
std::vector<std::pair<std::string, std::string>> environment_of(std::string_view prefix) {
    std::vector<std::pair<std::string, std::string>> found;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view entry(*each);
        const std::size_t equals = entry.find('=');
        if (entry.starts_with(prefix) && equals != std::string_view::npos) {
            found.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    std::ranges::sort(found);
    return found;
}

// Those that the simulator has a name for.
std::optional<CudaError> known_error(const std::optional<int>& number) {
    constexpr int kFirstOfCaptures = static_cast<int>(CudaError::kStreamCaptureUnsupported);
    constexpr int kLastOfCaptures = static_cast<int>(CudaError::kStreamCaptureWrongThread);
    const std::set<int> others{static_cast<int>(CudaError::kInvalidValue),
                               static_cast<int>(CudaError::kMemoryAllocation),
                               static_cast<int>(CudaError::kIllegalState),
                               static_cast<int>(CudaError::kNotPermitted)};
    if (!number || !(others.contains(*number) ||
                     (*number >= kFirstOfCaptures && *number <= kLastOfCaptures))) {
        return std::nullopt;
    }
    return static_cast<CudaError>(*number);
}

Failure failure_of(std::size_t op, const RefusedError& error) {
    const std::optional<CudaError> known = known_error(error.cuda_error());
    return {known == CudaError::kMemoryAllocation ? Failure::Kind::kOutOfMemory
                                                  : Failure::Kind::kPyTorchError,
            op,
            error.what(),
            known};
}

// Notes events with their times, and what pools reserve.
class History : public TraceSink {
  public:
    History(RunHistory& history, const RunClock& clock) : history_(history), clock_(clock) {}
    void take(const TraceEvent& event) override {
        marks_.take(event);
        history_.events.push_back(event);
        history_.times.push_back(clock_.now());
    }
    const PoolMarks& marks() const { return marks_; }

  private:
    RunHistory& history_;
    const RunClock& clock_;
    PoolMarks marks_;
};

// Runs the operations, and adds what comes out to the ledger.
class Runner {
  public:
    Runner(const Program& program, Backend& backend, Measurement& measurement)
        : program_(program),
          card_(backend.card()),
          memory_(backend.memory()),
          measurement_(measurement),
          ledger_(measurement.ledger),
          history_(measurement.history, clock_),
          executor_(program, backend, clock_, measurement.rank) {}

    void run() {
        memory_.set_trace(&history_);
        for (at_ = 0; at_ < program_.ops.size() && !ledger_.failure; ++at_) {
            if (auto failure = step(at_)) {
                failed(std::move(*failure));
            }
        }
        finish();
    }

  private:
    std::optional<Failure> step(std::size_t index) {
        try {
            return took(index, executor_.step(index));
        } catch (const RefusedError& error) {
            return failure_of(index, error);
        } catch (const SettingsError& error) {
            return Failure{Failure::Kind::kPyTorchError, index, error.what()};
        }
    }

    std::optional<Failure> took(std::size_t index, StepResult result) {
        if (auto* none = std::get_if<NoMemory>(&result)) {
            return Failure{Failure::Kind::kOutOfMemory, index, std::move(none->message)};
        }
        if (const auto* landed = std::get_if<Landed>(&result)) {
            ledger_.placements.push_back({landed->tensor, landed->address, landed->size, index, 0});
        }
        const Op& op = program_.ops[index];
        if (const auto* checkpoint = std::get_if<op::Checkpoint>(&op)) {
            note(*checkpoint);
        } else if (const auto* tried = std::get_if<op::Try>(&op)) {
            tried_.push_back({tried->name, ledger_.placements.size()});
        } else if (std::holds_alternative<op::EndTry>(op) && !tried_.empty()) {
            tried_.pop_back();
        }
        return std::nullopt;
    }

    void note(const op::Checkpoint& checkpoint) {
        const RunClock::Pause pause(clock_);
        CheckpointRow row{};
        row.name = checkpoint.name;
        row.stats = memory_.stats();
        row.placements = ledger_.placements.size();
        row.time = clock_.now();
        row.driver = driver_bytes(row.stats);
        ledger_.checkpoints.push_back(std::move(row));
    }

    // What is in use on the card and not reserved by the allocator.
    Bytes driver_bytes(const MemoryStats& stats) const {
        const Bytes total = measurement_.card.total_memory;
        const Bytes rest =
            card_.free_bytes() + measurement_.ballast + Bytes{stats.reserved_bytes.all.current};
        return total > rest ? total - rest : Bytes{};
    }

    void failed(Failure failure) {
        if (tried_.empty()) {
            ledger_.failure = std::move(failure);
            return;
        }
        failure.tried = tried_.back().name;
        ledger_.caught.push_back(std::move(failure));
        pass_to_end_of_try();
    }

    void pass_to_end_of_try() {
        const Passing passing = passing_of(program_, at_, tried_.back(), ledger_.placements);
        for (const std::size_t op : passing.ops) {
            at_ = op;
            pass(op);
        }
        at_ = passing.end;
        tried_.pop_back();
    }

    // What it would refuse now hides behind the first error.
    void pass(std::size_t index) {
        try {
            executor_.step(index);
        } catch (const RefusedError&) {
            return;
        } catch (const InputError&) {
            return;
        }
    }

    void finish() {
        const Instant end = clock_.now();
        ledger_.result = memory_.stats();
        ledger_.driver = {{DriverTerm::What::kOther,
                           "cudaMemGetInfo",
                           driver_bytes(ledger_.result),
                           Bytes{},
                           "measured"}};
        try {
            card_.synchronize_device();
        } catch (const RefusedError& error) {
            measurement_.warnings.emplace_back(
                fmt::format("the card did not finish its work: {}", error.what()));
        }
        ledger_.times = RunTimes{.end = std::max(end, clock_.now()), .streams = {}};
        ledger_.segments = memory_.segments();
        memory_.set_trace(nullptr);
        note_pools();
        note_corruption();
        note_graphs();
        measurement_.figures = memory_.figures();
        note_collective_library();
        measurement_.history.settings = memory_.settings();
    }

    // Work that failed has no times.
    void note_graphs() {
        try {
            executor_.finish(measurement_);
        } catch (const RefusedError& error) {
            measurement_.warnings.emplace_back(
                fmt::format("the times of replays are not known: {}", error.what()));
        }
    }

    void note_pools() {
        ledger_.pools = history_.marks().rows(ledger_.segments);
        if (measurement_.history.events.empty()) {
            // Without events there is one pool, the driver's.
            PoolRow& row = ledger_.pools.front();
            row.reserved = Bytes{ledger_.result.reserved_bytes.all.current};
            row.high_water = Bytes{ledger_.result.reserved_bytes.all.peak};
            row.allocated = Bytes{ledger_.result.allocated_bytes.all.current};
        }
        for (PoolRow& row : ledger_.pools) {
            const std::string name = executor_.pool_name(row.id);
            row.name = name.empty() ? "default" : name;
        }
        for (Placement& placement : ledger_.placements) {
            placement.pool = pool_of(placement.address);
        }
    }

    // As far as its segment is still there; else of the default pools.
    std::size_t pool_of(Address address) const {
        for (const SegmentInfo& segment : ledger_.segments) {
            if (segment.address <= address && address < segment.address + segment.size) {
                const auto row = std::ranges::find(ledger_.pools, segment.pool, &PoolRow::id);
                return row == ledger_.pools.end()
                           ? 0
                           : static_cast<std::size_t>(row - ledger_.pools.begin());
            }
        }
        return 0;
    }

    void note_collective_library() {
        if (measurement_.collectives.empty()) {
            return;
        }
        measurement_.collective_library = card_.collective_library();
        measurement_.collective_environment = environment_of("NCCL_");
    }

    void note_corruption() {
        const std::vector<std::uint32_t> mismatches = card_.mismatches();
        for (std::size_t op = 0; op < mismatches.size(); ++op) {
            if (mismatches[op] > 0) {
                measurement_.corruption.push_back({op, mismatches[op]});
            }
        }
    }

    const Program& program_;
    Card& card_;
    MemoryBackend& memory_;
    Measurement& measurement_;
    Ledger& ledger_;
    RunClock clock_;
    History history_;
    Executor executor_;
    std::size_t at_ = 0;
    std::vector<Tried> tried_;
};

// So much of the card is filled up that it is as small as the Program's machine is. A Program
// without a cost profile knows nothing of the driver's memory: it is to have all of its machine.
Bytes ballast_for(const Machine& machine, Card& card, Bytes total) {
    const Bytes there = machine.cost_profile.empty() ? card.free_bytes() : total;
    return there > machine.total_memory ? round_down(there - machine.total_memory, kPage) : Bytes{};
}

void take_ballast(const Machine& machine, Card& card, Measurement& measurement) {
    const Bytes total = measurement.card.total_memory;
    if (machine.total_memory > total) {
        measurement.warnings.push_back(fmt::format(
            "the scenario's card has {} B and this one {} B: what needs more fails here",
            machine.total_memory.count,
            total.count));
        return;
    }
    const Bytes ballast = ballast_for(machine, card, total);
    if (ballast > Bytes{}) {
        if (!card.add_library_memory("the rest of the card", ballast, std::nullopt)) {
            throw NoMeasurement(
                fmt::format("the scenario's card has {} B, and with the memory that is in use "
                            "beside it there are not as many; end the other processes on the "
                            "card, or give the scenario a larger one",
                            machine.total_memory.count));
        }
        measurement.ballast = ballast;
    }
}

void set_limit(const Machine& machine, MemoryBackend& memory, Bytes total) {
    if (machine.memory_fraction < 1) {
        memory.set_memory_fraction(machine.memory_fraction *
                                   static_cast<double>(machine.total_memory.count) /
                                   static_cast<double>(total.count));
    }
}

}  // namespace

Measurement measure(const Program& program,
                    Backend& backend,
                    const std::string& backend_name,
                    const Rank& rank) {
    if (const auto reason = unsupported(program, backend.memory().abilities())) {
        throw NoMeasurement(
            fmt::format("the backend {} cannot run this program: {}", backend_name, *reason));
    }
    Measurement measurement;
    measurement.backend = backend_name;
    measurement.rank = rank;
    measurement.card = backend.card().facts();
    measurement.framework = backend.memory().framework();
    if (measurement.card.other_processes.value_or(0) > 0) {
        measurement.warnings.push_back(
            fmt::format("{} other processes use the card: times and driver memory are theirs, too",
                        *measurement.card.other_processes));
    }
    take_ballast(program.machine, backend.card(), measurement);
    set_limit(program.machine, backend.memory(), measurement.card.total_memory);
    Runner(program, backend, measurement).run();
    return measurement;
}

}  // namespace highwater::gpu
