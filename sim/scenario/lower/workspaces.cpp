#include "sim/scenario/lower/workspaces.hpp"

#include <fmt/format.h>

namespace highwater {

Workspaces::Workspaces(const std::vector<Workspace>& forms,
                       Position& position,
                       ProgramBuilder& builder)
    : position_(position), builder_(builder) {
    for (const Workspace& form : forms) {
        forms_.emplace(form.name.text, &form);
    }
}

TensorId Workspaces::new_workspace(const Workspace& form, const std::string& name) {
    const TensorId tensor = builder_.new_tensor(
        form.per_stream ? fmt::format("{}.{}", name, builder_.name_of(position_.current))
                        : fmt::format("workspace.{}", name));
    allocated_.push_back(tensor);
    return tensor;
}

std::vector<TensorId> Workspaces::provide(const std::vector<PlacedText>& uses) {
    std::vector<TensorId> given_back;
    for (const PlacedText& use : uses) {
        const auto form = forms_.find(use.text);
        check(form != forms_.end(), "`check_templates` has seen every workspace");
        const StreamId on = position_.current;
        const std::pair key{form->second, form->second->per_stream ? on : kDefaultStream};
        const auto found = there_.find(key);
        if (found != there_.end() && builder_.is_live(found->second)) {
            continue;
        }
        const TensorId tensor =
            found != there_.end() ? found->second : new_workspace(*form->second, use.text);
        there_[key] = tensor;
        builder_.allocate(tensor, position_.size(form->second->size), on, use.place);
        if (form->second->scoped) {
            given_back.push_back(tensor);
        }
    }
    return given_back;
}

}  // namespace highwater
