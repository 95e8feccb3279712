#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/bucket_span.hpp"
#include "sim/scenario/lower/kv_cache_op.hpp"
#include "sim/scenario/lower/parameters.hpp"
#include "sim/scenario/lower/phase_span.hpp"
#include "sim/scenario/lower/program_builder.hpp"
#include "sim/scenario/lower/serving.hpp"

namespace highwater {

/// What a scenario may grow to. Anything above is an `InputError` that names the limit.
struct LoweringLimits {
    std::size_t max_operations = ProgramBuilder::kMaxOperations;
    /// Steps run and expression nodes evaluated, so that loops over nothing end too.
    std::uint64_t max_work = kMaxWork;
    std::int64_t max_loop = kMaxLoop;
    std::int64_t max_streams = kMaxStreams;

    static constexpr std::uint64_t kMaxWork = 400'000'000;
    static constexpr std::int64_t kMaxLoop = 10'000'000;
    static constexpr std::int64_t kMaxStreams = 100'000;
};

/// What a scenario comes to with these values of its parameters.
struct Lowered {
    /// Its `places` say of each operation which step it comes from.
    Program program;
    std::vector<ServedBucket> served;
    /// How many of the times and amounts of work that its operations state count for nothing,
    /// because there is no cost profile.
    std::size_t times_left_out = 0;
    /// In the order in which they ran. What stands between them is in none.
    std::vector<PhaseSpan> phases{};
    /// What libraries allocated as workspaces.
    std::vector<TensorId> workspaces{};
    std::vector<KvCacheOp> kv_caches{};
    /// What its `capture` phases captured, in that order.
    std::vector<BucketSpan> bucket_spans{};
};

/// Throws `InputError`.
Lowered lower(const Scenario& scenario,
              const ParameterValues& values,
              const LoweringLimits& limits = {});

}  // namespace highwater
