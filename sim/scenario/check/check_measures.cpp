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

constexpr std::string_view kResult = "result";

// What the steps make, wherever they stand. Sorted, each name once.
struct Made {
    std::vector<std::string> checkpoints;
    std::vector<std::string> tensors;
    std::vector<std::string> streams{"default"};
    std::vector<std::string> graphs;
    std::vector<std::string> tries;
};

// The graphs of phases are `graph[bucket]` unless they say otherwise.
std::string graph_of(const std::optional<Formula>& graph) {
    return graph ? base_name(*graph) : "graph";
}

void collect_graph(const StepKind& kind, Made& made) {
    if (const auto* capture = std::get_if<step::Capture>(&kind)) {
        made.graphs.push_back(base_name(capture->graph));
    } else if (const auto* buckets = std::get_if<step::CaptureBuckets>(&kind)) {
        made.graphs.push_back(graph_of(buckets->options.graph));
    } else if (const auto* serve = std::get_if<step::Serve>(&kind)) {
        made.graphs.push_back(graph_of(serve->options.graph));
    }
}

void collect(const StepList& steps, Made& made) {
    for (const Step& each : steps) {
        if (const auto* checkpoint = std::get_if<step::Checkpoint>(&each.kind)) {
            made.checkpoints.push_back(base_name(checkpoint->name));
        } else if (const auto* tried = std::get_if<step::Try>(&each.kind)) {
            made.tries.push_back(base_name(tried->name));
        }
        collect_graph(each.kind, made);
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
    made.checkpoints.emplace_back(kResult);
    for (const StreamGroup& group : scenario.streams) {
        made.streams.push_back(group.name.text);
    }
    for (auto* names :
         {&made.checkpoints, &made.tensors, &made.streams, &made.graphs, &made.tries}) {
        sort_and_unite(*names);
    }
    return made;
}

void require_known(const Formula& formula,
                   const Use& use,
                   std::string_view what,
                   const std::vector<std::string>& known,
                   const Problems& problems) {
    if (!contains(known, use.name) && !problems.is_lost(use.name)) {
        throw InputError(formula.source.at(use.offset),
                         fmt::format("unknown {} `{}`", what, quoted(use.name)),
                         suggestion(use.name, known, fmt::format("there is no {}", what)));
    }
}

class MeasureChecker {
  public:
    MeasureChecker(const Scenario& scenario,
                   const std::vector<std::string>& parameters,
                   Problems& problems)
        : scenario_(scenario), problems_(problems), made_(made_by(scenario)), values_(parameters) {
        std::ranges::copy_if(unit_names(), std::back_inserter(values_), [](const auto& name) {
            return unit_value(name).has_value();
        });
    }

    void check(const Formula& formula) {
        const ExpressionNames names = names_in(formula.tree, false);
        require_all(formula, names.values, "name", values_);
        require_all(formula, names.functions, "function", function_names());
        for (const ExpressionNames::MemberUse& member : names.members) {
            check_member(formula, member);
        }
        require_all(formula, names.tensors, "tensor", made_.tensors);
        require_all(formula, names.checkpoints, "checkpoint", made_.checkpoints);
        require_all(formula, names.streams, "stream", made_.streams);
        require_all(formula, names.graphs, "graph", made_.graphs);
    }

  private:
    void require_all(const Formula& formula,
                     const std::vector<Use>& uses,
                     std::string_view what,
                     const std::vector<std::string>& known) {
        for (const Use& use : uses) {
            problems_.attempt([&] { require_known(formula, use, what, known, problems_); });
        }
    }

    void check_member(const Formula& formula, const ExpressionNames::MemberUse& member) {
        const auto& [object, field] = member;
        if (object.name == kDeviceObject) {
            problems_.attempt(
                [&] { require_device_figure(formula, member, scenario_.machine, true); });
            return;
        }
        if (contains(made_.tries, object.name) && !contains(made_.checkpoints, object.name)) {
            require_all(formula, {field}, "figure", figure_names_of_try());
            return;
        }
        const bool is_of_end =
            object.name == kResult && contains(figure_names_of_end(), field.name);
        const bool is_of_try =
            contains(made_.tries, object.name) && contains(figure_names_of_try(), field.name);
        if (is_of_end || is_of_try) {
            return;
        }
        // A checkpoint may have this name, too.
        const bool is_of_serving = object.name == kServed && is_served_figure(field.name);
        if (!is_of_serving && !is_bucket_figure(scenario_, object.name, field.name)) {
            require_all(formula, {object}, "checkpoint", made_.checkpoints);
            require_all(formula, {field}, "figure", figures_);
        }
    }

    const Scenario& scenario_;
    Problems& problems_;
    Made made_;
    std::vector<std::string> figures_ = figure_names();
    std::vector<std::string> values_;
};

}  // namespace

void check_measures(const Scenario& scenario,
                    const std::vector<std::string>& parameters,
                    Problems& problems) {
    MeasureChecker checker(scenario, parameters, problems);
    for (const MeasureFormula& measure : scenario.measures) {
        checker.check(measure.formula);
    }
}

}  // namespace highwater
