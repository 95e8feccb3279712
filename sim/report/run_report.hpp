#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/pool_bounds.hpp"
#include "sim/engine/program.hpp"
#include "sim/report/hazard_rows.hpp"
#include "sim/scenario/lower/serving.hpp"

namespace highwater {

/// What a parameter or a measure of a scenario can be.
using FieldValue = std::variant<std::int64_t, double, bool, std::string>;

struct Field {
    std::string name;
    FieldValue value;
    friend bool operator==(const Field&, const Field&) = default;
};

/// The names that each of the allocator's streams goes by in the Program: more than one where
/// streams share a handle, as the 33rd of PyTorch's pool shares the first's.
using StreamNames = std::vector<std::vector<std::string>>;

/// The operation of `ledger.failure`.
struct FailedOperation {
    std::string text;
    /// Where it was written, if known.
    std::optional<SourcePlace> place;
    /// Of an allocation.
    std::optional<std::string> tensor;
    std::optional<std::string> stream;
    /// The earlier operation that broke what this one needs.
    struct Cause {
        std::optional<SourcePlace> place;
        std::string text;
    };
    std::optional<Cause> cause;
};

/// A cost profile, for people.
struct CostSource {
    std::string profile;
    /// Card, driver, versions.
    std::string measured_on;
    bool is_of_another_card = false;
    /// What a kernel takes of which nothing is known.
    Duration kernel_base{};
};

/// What counts for nothing in a run without a cost profile: no time passes, and all work is done at
/// once.
struct Untimed {
    /// Times and amounts of work that operations state.
    std::size_t times = 0;
    /// Calls of record_stream, if no stream is held: then nothing waits for them.
    std::size_t record_streams = 0;
    friend bool operator==(const Untimed&, const Untimed&) = default;
};

Untimed untimed_of(const Program& program, std::size_t times_left_out);

/// One sentence with what to do; empty if nothing is left out.
std::string untimed_text(const Untimed& untimed);

CostSource source_of(const CostProfile& costs, bool is_of_another_card);

/// A run with what its ledger does not know: the scenario's words.
struct RunReport {
    std::string scenario;
    std::string description;
    std::vector<Field> parameters;
    StreamNames streams;
    /// The Program's names, by its own ids.
    std::vector<std::string> program_streams;
    std::vector<std::string> graphs;
    Ledger ledger;
    /// Where its times come from; none if no time passes.
    std::optional<CostSource> costs;
    /// Which bucket served how much, in a scenario that serves.
    std::vector<ServedBucket> served;
    /// Without those that a failure left without their checkpoints.
    std::vector<Field> measures;
    /// Those that a cost profile is missing for.
    std::vector<std::string> unknown_measures;
    /// Where no cost profile was asked for, nothing.
    Untimed untimed;
    /// Kernels of the Program, and those of them that state no work.
    std::size_t kernels = 0;
    std::size_t kernels_without_work = 0;
    /// The first cudaMalloc that was tried again, in words; empty if none was.
    std::string first_retry;
    /// There exactly if there is a `ledger.failure`.
    std::optional<FailedOperation> failed;
    /// Those of `ledger.caught`.
    std::vector<FailedOperation> caught;
    /// By bucket, as in `served`: what padding cost. None where it is not known.
    std::vector<std::optional<Duration>> padding_times;
    bool were_peaks_reset = false;
    /// Accesses to memory that nothing orders, and reads of what is there no longer.
    std::vector<HazardRow> hazards;
    /// How many there were beyond these.
    std::uint64_t unlisted_hazards = 0;
    /// Empty unless they were asked for.
    std::vector<PoolBounds> bounds;
};

/// What a run of the Program says by itself: its streams, its ledger, and where it failed.
RunReport report_of(const Program& program, Ledger ledger);

StreamNames stream_names(const std::vector<StreamEntry>& streams);

/// The name of `pools[...].streams[...]`, by the allocator's number.
const std::vector<std::string>& names_of(const RunReport& run, StreamId stream);

/// `32`, `0.5`, `true`, `per-layer`.
std::string field_text(const FieldValue& value);

/// `290 of 290 kernels state no work and take 1.2 us each`; empty if all do.
std::string unstated_work_text(const RunReport& run);

/// What the run's figures leave out, or are no more than approximately, one sentence each.
std::vector<std::string> notices(const RunReport& run);

}  // namespace highwater
