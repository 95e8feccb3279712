#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/scenario/description/expectation.hpp"
#include "sim/scenario/description/step.hpp"
#include "sim/scenario/description/sweep.hpp"
#include "sim/scenario/description/template.hpp"
#include "sim/scenario/description/tolerances.hpp"
#include "sim/scenario/expression/formula.hpp"
#include "sim/scenario/text/source_files.hpp"

namespace highwater {

/// A number that a run may change, or a text or boolean to choose by.
struct Parameter {
    enum class Kind { kNumber, kInteger, kBoolean, kText };

    PlacedText name;
    /// Of `type`; without, the kind of the default decides.
    std::optional<Kind> kind;
    /// A literal, or an expression over the parameters before this one.
    std::variant<Value, Formula> fallback;
    /// Empty: any value.
    std::vector<Value> choices;
    std::optional<Formula> min;
    std::optional<Formula> max;
    std::string unit;
    std::string description;
};

/// Streams that take the next of PyTorch's pool: `torch.cuda.Stream(priority)`.
struct StreamGroup {
    PlacedText name;
    /// With a count the streams are `name[0]`, `name[1]`, ...; without, the one stream is `name`.
    std::optional<Formula> count;
    std::optional<Formula> priority;
    /// `layer`, `shared` or `none`: which of them the group's name stands for at a layer. With
    /// `none` it is the current stream.
    std::optional<PlacedText> per;
    /// Where this does not hold, the group's name stands for the current stream.
    std::optional<Formula> when;
    /// Made by other code, without cudaStreamNonBlocking.
    std::optional<Formula> blocking;
    /// There is one, whatever the count, and all of the group's names stand for it. A file cannot
    /// say so: it is asked by who tries what sharing a stream would do.
    bool is_one = false;
};

struct Procedure {
    PlacedText name;
    std::vector<PlacedText> parameters;
    StepList body;
};

struct MeasureFormula {
    PlacedText name;
    Formula formula;
};

/// The card and the process.
struct MachineForm {
    /// Empty if the file names none.
    std::string device;
    std::variant<Bytes, Formula> total_memory;
    std::optional<double> compute_capability;
    std::optional<std::int64_t> multiprocessors;
    /// What the driver takes and how long things last. None: no time passes.
    std::optional<CostProfile> costs;
    /// The file itself says that no time is to pass.
    bool wants_no_costs = false;
    /// Whether those were measured on another card than the device.
    bool costs_are_of_another_card = false;
    /// The allocator whose rules are simulated.
    std::string profile;
    PlacedText conf;
    std::optional<Formula> memory_fraction;
    /// PYTORCH_NO_CUDA_MEMORY_CACHING is not set: so it is where nothing is said.
    std::optional<Formula> caching;
    /// CUDA_LAUNCH_BLOCKING is set: not so where nothing is said.
    std::optional<Formula> blocking_launches;
    /// How many processes run it: one where nothing is said.
    std::optional<Formula> ranks;
};

/// A scenario file, read and checked as far as that goes without values for its parameters: every
/// name in it is known. All lists are in the order of the file.
struct Scenario {
    std::string file;
    /// The file itself, and what it extends.
    SourceFiles sources;
    std::string name;
    std::string description;
    MachineForm machine;
    std::vector<Parameter> parameters;
    std::vector<StreamGroup> streams;
    std::vector<BucketSet> buckets;
    std::vector<Workspace> workspaces;
    /// The model is the template of this name.
    std::vector<Template> templates;
    std::vector<Procedure> procedures;
    StepList steps;
    std::vector<MeasureFormula> measures;
    std::vector<Expectation> expectations;
    StatedTolerances tolerances;
    /// Empty: one run.
    std::vector<SweepAxis> sweep;
};

/// What the driver takes and how long things last; null if no time passes.
inline const CostProfile* costs_of(const Scenario& scenario) {
    return scenario.machine.costs ? &*scenario.machine.costs : nullptr;
}

}  // namespace highwater
