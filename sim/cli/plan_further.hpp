#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include "sim/cli/output.hpp"
#include "sim/plan/advice/plan_advice.hpp"
#include "sim/report/plan/inverse_text.hpp"
#include "sim/scenario/description/override.hpp"
#include "sim/scenario/description/scenario.hpp"

namespace highwater {

/// What `highwater plan` may be asked beside whether it fits: what would save memory, and which
/// numbers reach what is wanted.
struct FurtherOptions {
    bool advise = false;
    std::int64_t sequences_of = 0;
    bool smallest_card = false;
    std::string target;
    std::vector<std::string> vary;
    std::string advice_csv;
    std::string answers_csv;

    bool asks() const {
        return advise || smallest_card || sequences_of != 0 || !target.empty() || !vary.empty();
    }
};

struct FurtherAnswers {
    std::optional<plan::PlanAdvice> advice;
    InverseAnswers inverse;
};

void add_further_options(CLI::App& command, FurtherOptions& options);

/// `capacity` is the option's text, empty if it is not given. Throws `InputError`.
FurtherAnswers further_answers(const FurtherOptions& options,
                               const Scenario& scenario,
                               std::span<const Override> overrides,
                               const std::string& capacity);

/// Behind the plan; empty if nothing was asked.
std::string further_text(const FurtherAnswers& answers);
void add_further_json(const FurtherAnswers& answers, nlohmann::ordered_json& to);
void add_further_files(const FurtherOptions& options,
                       const FurtherAnswers& answers,
                       OutputFiles& files);

}  // namespace highwater
