#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/plan_answer.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater {

/// The options of `highwater plan` that are about buckets, as given.
struct BucketOptions {
    /// Empty: not asked.
    std::string histogram;
    std::string set;
    std::string candidates;
    std::string budget;
    std::string cost = "rows";
    std::size_t max_buckets = 0;

    bool is_asked() const { return !histogram.empty(); }
};

void add_bucket_options(CLI::App& command, BucketOptions& options);

/// Throws `InputError` if options stand without `--buckets-for`.
void require_buckets_asked(const BucketOptions& options);

/// The exit status. Throws `InputError`.
int plan_buckets_of(const Scenario& scenario,
                    const std::vector<Override>& overrides,
                    const BucketOptions& options,
                    const PlanFiles& paths);

}  // namespace highwater
