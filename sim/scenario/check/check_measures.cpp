#include "sim/scenario/check/check_measures.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/expression/expression_functions.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/facts/device_figures.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/lower/serving.hpp"
#include "sim/scenario/result/figures.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using Use = ExpressionNames::Use;

// What the steps make, wherever they stand. Sorted, each name once.
struct Made {
    std::vector<std::string> checkpoints;
    std::vector<std::string> tensors;
};

void collect(const StepList& steps, Made& made) {
    for (const Step& each : steps) {
        if (const auto* checkpoint = std::get_if<step::Checkpoint>(&each.kind)) {
            made.checkpoints.push_back(base_name(checkpoint->name));
        }
        for (const ConstTensorUse& use : tensors_of(each.kind)) {
            if (use.is_made) {
                made.tensors.push_back(base_name(use.tensor->reference));
            }
        }
        for (const StepList* body : bodies_of(each.kind)) {
            collect(*body, made);
        }
    }
}

void sort_and_unite(std::vector<std::string>& names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
}

Made made_by(const Scenario& scenario) {
    Made made;
    collect(scenario.steps, made);
    for (const Procedure& procedure : scenario.procedures) {
        collect(procedure.body, made);
    }
    for (const Template& form : scenario.templates) {
        collect(form.body, made);
    }
    made.checkpoints.emplace_back("result");
    sort_and_unite(made.checkpoints);
    sort_and_unite(made.tensors);
    return made;
}

void require_known(const Formula& formula,
                   const Use& use,
                   std::string_view what,
                   const std::vector<std::string>& known,
                   const Problems& problems) {
    const bool is_known = std::find(known.begin(), known.end(), use.name) != known.end();
    if (!is_known && !problems.is_lost(use.name)) {
        throw InputError(formula.source.at(use.offset),
                         fmt::format("unknown {} `{}`", what, quoted(use.name)),
                         suggestion(use.name, known, fmt::format("there is no {}", what)));
    }
}

}  // namespace

void check_measures(const Scenario& scenario,
                    const std::vector<std::string>& parameters,
                    Problems& problems) {
    const Made made = made_by(scenario);
    const std::vector<std::string> figures = figure_names();
    std::vector<std::string> values = parameters;
    std::ranges::copy(unit_names(), std::back_inserter(values));
    for (const MeasureFormula& measure : scenario.measures) {
        const ExpressionNames names = names_in(measure.formula.tree, false);
        const auto require = [&](const Use& use, std::string_view what, const auto& known) {
            problems.attempt([&] { require_known(measure.formula, use, what, known, problems); });
        };
        for (const Use& use : names.values) {
            require(use, "name", values);
        }
        for (const Use& use : names.functions) {
            require(use, "function", function_names());
        }
        for (const ExpressionNames::MemberUse& member : names.members) {
            const auto& [object, field] = member;
            if (object.name == kDeviceObject) {
                problems.attempt([&, &use = member] {
                    require_device_figure(measure.formula, use, scenario.machine, true);
                });
                continue;
            }
            // A checkpoint may have this name, too.
            if (object.name == kServed && is_served_figure(field.name)) {
                continue;
            }
            if (is_bucket_figure(scenario, object.name, field.name)) {
                continue;
            }
            require(object, "checkpoint", made.checkpoints);
            require(field, "figure", figures);
        }
        for (const Use& use : names.tensors) {
            require(use, "tensor", made.tensors);
        }
        for (const Use& use : names.checkpoints) {
            require(use, "checkpoint", made.checkpoints);
        }
    }
}

}  // namespace highwater
