#include "sim/scenario/check/check_templates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/engine/closest_name.hpp"
#include "sim/scenario/check/check_arguments.hpp"
#include "sim/scenario/description/lifetimes.hpp"
#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/parse/parse_step_kinds.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// Lowering recurses into templates.
constexpr std::size_t kMaxTemplateDepth = 32;

class TemplateChecker {
  public:
    TemplateChecker(Scenario& scenario, Problems& problems)
        : scenario_(scenario), problems_(problems) {
        for (const Template& form : scenario.templates) {
            if (!templates_.emplace(form.name.text, &form).second) {
                problems_.attempt([&] {
                    throw InputError(form.name.place,
                                     fmt::format("a second template `{}`", form.name.text),
                                     "choose another name");
                });
            }
        }
    }

    void check_all() {
        check_steps(scenario_.steps, false);
        for (Procedure& procedure : scenario_.procedures) {
            check_steps(procedure.body, false);
        }
        for (Template& form : scenario_.templates) {
            check_steps(form.body, true);
        }
        // What follows needs templates that are there and end.
        if (problems_.all().empty()) {
            problems_.attempt([this] { check_wholes(); });
        }
    }

  private:
    void check_wholes() {
        for (const Template& form : scenario_.templates) {
            require_depth(form, 1);
        }
        for (Template& form : scenario_.templates) {
            check_names_of(form);
            assign_lifetimes(form);
        }
    }

    void check_steps(StepList& steps, bool is_template) {
        for (Step& step : steps) {
            problems_.attempt([&] { check_step(step, is_template); });
            for (StepList* body : bodies_of(step.kind)) {
                check_steps(*body, is_template);
            }
        }
    }

    void check_step(Step& step, bool is_template) {
        if (auto* op = std::get_if<step::Op>(&step.kind)) {
            if (is_use(*op)) {
                step::UseTemplate use{op->name, std::move(op->in), {}, {}};
                step.kind = std::move(use);
            } else {
                check_op(*op);
            }
        }
        if (const auto* use = std::get_if<step::UseTemplate>(&step.kind)) {
            check_use(*use);
        }
        if (!is_template && std::holds_alternative<step::Layers>(step.kind)) {
            throw InputError(step.place, "`layers` outside of a template", "use `for` or `repeat`");
        }
        std::visit([&](const auto& kind) { check_model(kind, step.place); }, step.kind);
    }

    // `norm: {in: x}` may be either.
    bool is_use(const step::Op& op) const {
        return op.made.empty() && op.in_place.empty() && op.uses.empty() &&
               templates_.contains(op.name.text);
    }

    void check_op(const step::Op& op) const {
        if (templates_.contains(op.name.text)) {
            throw InputError(op.name.place,
                             fmt::format("`{}` is a template, and has the sizes of its outputs "
                                         "itself",
                                         op.name.text),
                             "write `out:` as a name, or a list of names");
        }
        for (const PlacedText& use : op.uses) {
            std::vector<std::string> known;
            for (const Workspace& each : scenario_.workspaces) {
                known.push_back(each.name.text);
            }
            if (std::find(known.begin(), known.end(), use.text) == known.end() &&
                !problems_.is_lost(use.text)) {
                throw InputError(use.place,
                                 fmt::format("unknown workspace `{}`", quoted(use.text)),
                                 suggestion(use.text, known, "define it under `workspaces`"));
            }
        }
    }

    const Template& find(const PlacedText& name, std::string_view what) const {
        const auto found = templates_.find(name.text);
        if (found != templates_.end()) {
            return *found->second;
        }
        if (problems_.is_lost(name.text)) {
            throw FollowUpError(name.place, "a refused template", "mend it");
        }
        std::vector<std::string> known = parse::names_of_steps();
        for (const auto& [each, form] : templates_) {
            known.push_back(each);
        }
        throw InputError(name.place,
                         fmt::format("unknown {} `{}`", what, quoted(name.text)),
                         suggestion(name.text, known, ""));
    }

    [[noreturn]] void refuse_operation_without_sizes(const step::UseTemplate& use) const {
        std::vector<std::string> known;
        for (const auto& [each, form] : templates_) {
            known.push_back(each);
        }
        const std::string out = base_name(use.out.front().reference);
        throw InputError(use.name.place,
                         fmt::format("there is no template `{}`", quoted(use.name.text)),
                         did_you_mean(use.name.text,
                                      {known.begin(), known.end()},
                                      fmt::format("an operation gives the sizes of what it makes: "
                                                  "`out: {{{}: bytes}}`",
                                                  out)));
    }

    void check_use(const step::UseTemplate& use) const {
        if (!templates_.contains(use.name.text) && !use.out.empty()) {
            refuse_operation_without_sizes(use);
        }
        const Template& form = find(use.name, "step");
        require_arguments(use.arguments, form.parameters, use.name, problems_);
        if (use.in.size() != form.in.size()) {
            throw InputError(use.name.place,
                             fmt::format("`{}` takes {} tensors, and is given {}",
                                         form.name.text,
                                         form.in.size(),
                                         use.in.size()),
                             "list under `in` what the template has under `in`");
        }
        if (use.out.size() > form.out.size()) {
            throw InputError(
                use.out.back().reference.source.place,
                fmt::format("`{}` returns {} tensors", form.name.text, form.out.size()),
                "name no more than the template has under `out`");
        }
    }

    template <typename AnyStep>
    void check_model(const AnyStep& step, const SourcePlace& place) const {
        if constexpr (requires { step.pass; }) {
            require_model(step.pass.model, place);
            require_arguments(step.pass.arguments,
                              model_of(step.pass.model).parameters,
                              step.pass.model.value_or(PlacedText{"model", place, false}),
                              problems_);
        }
        if constexpr (std::is_same_v<AnyStep, step::LoadWeights>) {
            require_model(step.model, place);
            if (!step.arguments.empty()) {
                require_arguments(step.arguments,
                                  model_of(step.model).parameters,
                                  step.arguments.front().first,
                                  problems_);
            }
        }
    }

    const Template& model_of(const std::optional<PlacedText>& name) const {
        return *templates_.find(name ? name->text : "model")->second;
    }

    void require_model(const std::optional<PlacedText>& name, const SourcePlace& place) const {
        if (name) {
            find(*name, "template");
        } else if (problems_.is_lost("model")) {
            throw FollowUpError(place, "a refused model", "mend it");
        } else if (!templates_.contains("model")) {
            throw InputError(place,
                             "the scenario has no model",
                             "define it under `model`, or name a template: `model: name`");
        }
        if (!model_of(name).in.empty()) {
            throw InputError(model_of(name).in.front().reference.source.place,
                             "a model with inputs",
                             "allocate static tensors before, and use them by their names");
        }
    }

    void require_depth(const Template& form, std::size_t depth) {
        if (depth > kMaxTemplateDepth || !under_way_.insert(&form).second) {
            throw InputError(
                form.name.place,
                depth > kMaxTemplateDepth
                    ? fmt::format("templates use each other more than {} deep", kMaxTemplateDepth)
                    : fmt::format("the template `{}` comes to use itself", form.name.text),
                "use a loop");
        }
        if (heights_.contains(&form) && depth + heights_[&form] <= kMaxTemplateDepth) {
            under_way_.erase(&form);
            return;
        }
        heights_[&form] = require_depth(form.body, depth);
        under_way_.erase(&form);
    }

    std::size_t require_depth(const StepList& steps, std::size_t depth) {
        std::size_t height = 0;
        for (const Step& step : steps) {
            if (const auto* use = std::get_if<step::UseTemplate>(&step.kind)) {
                const Template& inner = *templates_.find(use->name.text)->second;
                require_depth(inner, depth + 1);
                height = std::max(height, heights_[&inner] + 1);
            }
            for (const StepList* body : bodies_of(step.kind)) {
                height = std::max(height, require_depth(*body, depth));
            }
        }
        return height;
    }

    // What it returns or keeps, it must make or be given.
    static void check_names_of(Template& form) {
        std::vector<std::string> own;
        for (const TensorName& each : form.in) {
            own.push_back(base_name(each.reference));
        }
        for (const Allocation& each : form.weights) {
            own.push_back(base_name(each.tensor.reference));
        }
        collect_made(form.body, own);
        for (const auto* list : {&form.out, &form.keep}) {
            for (const TensorName& each : *list) {
                const std::string name = base_name(each.reference);
                if (std::find(own.begin(), own.end(), name) == own.end()) {
                    throw InputError(each.reference.source.place,
                                     fmt::format("`{}` makes no tensor `{}`", form.name.text, name),
                                     suggestion(name, own, "make it in one of the steps"));
                }
            }
        }
    }

    static void collect_made(StepList& steps, std::vector<std::string>& names) {
        for (Step& step : steps) {
            for (const TensorUse& use : tensors_of(step.kind)) {
                if (use.is_made) {
                    names.push_back(base_name(use.tensor->reference));
                }
            }
            for (StepList* body : bodies_of(step.kind)) {
                collect_made(*body, names);
            }
        }
    }

    Scenario& scenario_;
    Problems& problems_;
    std::map<std::string, const Template*> templates_;
    std::map<const Template*, std::size_t> heights_;
    std::set<const Template*> under_way_;
};

}  // namespace

void check_templates(Scenario& scenario, Problems& problems) {
    TemplateChecker(scenario, problems).check_all();
}

}  // namespace highwater
