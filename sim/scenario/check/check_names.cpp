#include "sim/scenario/check/check_names.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/check/check_measures.hpp"
#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/expression/expression_functions.hpp"
#include "sim/scenario/expression/expression_names.hpp"
#include "sim/scenario/expression/units.hpp"
#include "sim/scenario/facts/device_figures.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

bool is_name_of_pass(const std::string& name) {
    return name == "bucket" || name == "layer";
}

// A phase evaluates its arguments once for each bucket.
bool is_phase(const StepKind& kind) {
    return std::visit(
        [](const auto& step) {
            return requires {
                step.pass;
            };
        },
        kind);
}

class NameChecker {
  public:
    NameChecker(const Scenario& scenario, Problems& problems)
        : scenario_(scenario), problems_(problems) {
        for (const StreamGroup& group : scenario.streams) {
            streams_.push_back(group.name.text);
        }
        streams_.insert(streams_.end(), {"default", "current"});
        find_models(scenario.steps);
        for (const Procedure& procedure : scenario.procedures) {
            find_models(procedure.body);
        }
    }

    void check_all() {
        check_parameters();
        check_machine_and_streams();
        check_buckets_and_workspaces();
        check_steps(scenario_.steps);
        for (const Procedure& procedure : scenario_.procedures) {
            check_procedure(procedure);
        }
        for (const Template& form : scenario_.templates) {
            check_template(form);
        }
        const std::vector<std::string> parameters = known_;
        check_measures(scenario_, parameters, problems_);
        check_expected_values();
    }

  private:
    void find_models(const StepList& steps);
    void check_parameters();
    void check_machine_and_streams();
    void check_buckets_and_workspaces();
    void check_procedure(const Procedure& procedure);
    void check_template(const Template& form);
    /// What is known in every template of a pass.
    void add_names_of_pass();
    void check_spec(const BucketSpec& spec);
    void check_expected_values();
    void check_steps(const StepList& steps);
    void check_step(const Step& step);
    void check_value(const Formula& formula) { check_formula(formula, false); }
    void check_value(const std::optional<Formula>& formula) {
        if (formula) {
            check_value(*formula);
        }
    }
    void check_formula(const Formula& formula, bool is_reference);
    void check_members(const Formula& formula, const ExpressionNames& names);
    void refuse(const InputError& error) {
        problems_.attempt([&] { throw InputError(error); });
    }
    void check_stream(const Formula& stream);
    bool is_known(const std::string& name) const {
        return contains(known_, name) || unit_value(name) || problems_.is_lost(name);
    }
    void add_name(const std::string& name, const SourcePlace& place);

    const Scenario& scenario_;
    /// The names of templates that phases run.
    std::set<std::string> models_{"model"};
    Problems& problems_;
    std::vector<std::string> streams_;
    /// The names that an expression may use here.
    std::vector<std::string> known_;
    /// The device's total memory may follow from the parameters.
    bool memory_is_known_ = false;
};

void NameChecker::find_models(const StepList& steps) {
    for (const Step& step : steps) {
        std::visit(
            [this](const auto& kind) {
                if constexpr (requires { kind.pass.model; }) {
                    models_.insert(kind.pass.model ? kind.pass.model->text : "model");
                }
            },
            step.kind);
        for (const StepList* body : bodies_of(step.kind)) {
            find_models(*body);
        }
    }
}

// A parameter sees those before it only, so that there are no circles.
void NameChecker::check_parameters() {
    for (const Parameter& parameter : scenario_.parameters) {
        if (const auto* formula = std::get_if<Formula>(&parameter.fallback)) {
            check_value(*formula);
        }
        check_value(parameter.min);
        check_value(parameter.max);
        if (!scenario_.templates.empty() && is_name_of_pass(parameter.name.text)) {
            refuse({parameter.name.place,
                    fmt::format("a parameter `{0}` where templates have `{0}` from the pass under "
                                "way",
                                parameter.name.text),
                    "choose another name"});
        }
        known_.push_back(parameter.name.text);
    }
}

void NameChecker::check_members(const Formula& formula, const ExpressionNames& names) {
    for (const ExpressionNames::MemberUse& use : names.members) {
        if (is_bucket_figure(scenario_, use.object.name, use.field.name) ||
            problems_.is_lost(use.object.name)) {
            continue;
        }
        if (use.object.name != kDeviceObject) {
            refuse({formula.source.at(use.field.offset - 1),
                    fmt::format("`{}.{}` where only parameters are known",
                                quoted(use.object.name),
                                quoted(use.field.name)),
                    "use figures of checkpoints under `measures`"});
            continue;
        }
        problems_.attempt(
            [&] { require_device_figure(formula, use, scenario_.machine, memory_is_known_); });
    }
}

void NameChecker::check_machine_and_streams() {
    if (const auto* formula = std::get_if<Formula>(&scenario_.machine.total_memory)) {
        check_value(*formula);
    }
    memory_is_known_ = true;
    check_value(scenario_.machine.memory_fraction);
    check_value(scenario_.machine.caching);
    check_value(scenario_.machine.blocking_launches);
    check_value(scenario_.machine.ranks);
    for (const StreamGroup& group : scenario_.streams) {
        check_value(group.count);
        check_value(group.priority);
        check_value(group.blocking);
        const std::size_t outside = known_.size();
        add_names_of_pass();
        check_value(group.when);
        known_.resize(outside);
    }
}

void NameChecker::check_spec(const BucketSpec& spec) {
    for (const auto* formulas : {&spec.items, &spec.range, &spec.powers_of_two}) {
        std::for_each(
            formulas->begin(), formulas->end(), [this](const auto& each) { check_value(each); });
    }
    check_value(spec.min);
    check_value(spec.max);
}

void NameChecker::check_buckets_and_workspaces() {
    for (const BucketSet& set : scenario_.buckets) {
        check_spec(set.spec);
    }
    for (const Workspace& workspace : scenario_.workspaces) {
        check_value(workspace.size);
    }
}

// A model is a template that some phase runs: its values are known in all that it uses.
void NameChecker::add_names_of_pass() {
    known_.insert(known_.end(), {"bucket", "layer"});
    for (const Template& form : scenario_.templates) {
        if (models_.contains(form.name.text)) {
            for (const PlacedText& parameter : form.parameters) {
                known_.push_back(parameter.text);
            }
            for (const auto& [name, value] : form.values) {
                known_.push_back(name.text);
            }
        }
    }
}

void NameChecker::check_template(const Template& form) {
    const std::size_t outside = known_.size();
    if (models_.contains(form.name.text)) {
        known_.emplace_back("bucket");
        known_.emplace_back("layer");
    } else {
        add_names_of_pass();
    }
    for (const PlacedText& parameter : form.parameters) {
        add_name(parameter.text, parameter.place);
    }
    for (const auto& [name, value] : form.values) {
        check_value(value);
        add_name(name.text, name.place);
    }
    for (const Allocation& weight : form.weights) {
        check_value(weight.size);
    }
    check_steps(form.body);
    known_.resize(outside);
}

void NameChecker::add_name(const std::string& name, const SourcePlace& place) {
    problems_.attempt([&] {
        if (contains(known_, name)) {
            throw InputError(place,
                             fmt::format("`{}` would hide another of this name", name),
                             "choose another name");
        }
    });
    known_.push_back(name);
}

void NameChecker::check_procedure(const Procedure& procedure) {
    const std::size_t outside = known_.size();
    for (const PlacedText& parameter : procedure.parameters) {
        add_name(parameter.text, parameter.place);
    }
    check_steps(procedure.body);
    known_.resize(outside);
}

void NameChecker::check_expected_values() {
    for (const Expectation& expectation : scenario_.expectations) {
        check_value(expectation.within);
        for (const ExpectedMeasure& expected : expectation.measures) {
            check_value(expected.value);
        }
    }
}

void NameChecker::check_steps(const StepList& steps) {
    for (const Step& each : steps) {
        check_step(each);
    }
}

void NameChecker::check_step(const Step& step) {
    using Role = FormulaUse::Role;
    const std::size_t around = known_.size();
    if (is_phase(step.kind)) {
        known_.emplace_back("bucket");
    }
    for (const FormulaUse& use : formulas_of(step.kind)) {
        check_formula(*use.formula, use.role != Role::kValue);
        if (use.role == Role::kStream) {
            check_stream(*use.formula);
        }
    }
    known_.resize(around);
    const std::size_t outside = known_.size();
    const auto* loop = std::get_if<step::Loop>(&step.kind);
    if (loop != nullptr && loop->index) {
        add_name(loop->index->text, loop->index->place);
    }
    for (const StepList* body : bodies_of(step.kind)) {
        check_steps(*body);
    }
    known_.resize(outside);
}

void NameChecker::check_formula(const Formula& formula, bool is_reference) {
    const ExpressionNames names = names_in(formula.tree, is_reference);
    for (const auto& use : names.values) {
        if (!is_known(use.name)) {
            refuse({formula.source.at(use.offset),
                    fmt::format("unknown name `{}`", quoted(use.name)),
                    suggestion(use.name, known_, "define it under `parameters`")});
        }
    }
    for (const auto& use : names.functions) {
        if (!contains(function_names(), use.name)) {
            refuse({formula.source.at(use.offset),
                    fmt::format("unknown function `{}`", quoted(use.name)),
                    suggestion(use.name, function_names(), "")});
        }
    }
    check_members(formula, names);
}

void NameChecker::check_stream(const Formula& stream) {
    const std::string name = base_name(stream);
    if (!contains(streams_, name) && !problems_.is_lost(name)) {
        refuse({stream.source.place,
                fmt::format("unknown stream `{}`", quoted(name)),
                suggestion(name, streams_, "define it under `streams`")});
    }
}

}  // namespace

void check_names(const Scenario& scenario, Problems& problems) {
    NameChecker(scenario, problems).check_all();
}

}  // namespace highwater
