#include "sim/scenario/lower/frame.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {

TemplateUse::TemplateUse(const Template& form, std::string path, std::optional<std::int64_t> layer)
    : form_(&form), path_(std::move(path)), layer_(layer), by_slot_(form.slots.size()) {}

TemplateUse& TemplateUse::inner(const Step& step,
                                std::optional<std::int64_t> layer,
                                const Template& form) {
    std::unique_ptr<TemplateUse>& found = inner_[{&step, layer.value_or(-1)}];
    if (found) {
        return *found;
    }
    std::string label =
        layer && layer != layer_ ? fmt::format("{}[{}]", form.name.text, *layer) : form.name.text;
    const std::size_t namesakes = ++labels_[label];
    if (namesakes > 1) {
        label += fmt::format(".{}", namesakes);
    }
    found = std::make_unique<TemplateUse>(form, path_.empty() ? label : path_ + "." + label, layer);
    return *found;
}

TensorId TemplateUse::free_variable(Slot slot, const std::string& member, ProgramBuilder& builder) {
    Variables& variables = member.empty() ? by_slot_[index_of(slot)] : members_[member];
    for (const TensorId each : variables) {
        if (!builder.is_live(each)) {
            return each;
        }
    }
    const std::string& name = member.empty() ? form_->slots[index_of(slot)] : member;
    variables.push_back(builder.new_tensor(fmt::format("{}.{}", path_, name)));
    return variables.back();
}

std::optional<TensorId> Frame::find(Slot slot, const std::string& member) const {
    const Held& held = held_[index_of(slot)];
    if (member.empty()) {
        return held.plain;
    }
    const auto found = held.members.find(member);
    return found == held.members.end() ? std::nullopt : std::optional(found->second);
}

void Frame::hold(Slot slot, const std::string& member, TensorId tensor, const SourcePlace& place) {
    const std::optional<TensorId> before = find(slot, member);
    if (member.empty()) {
        held_[index_of(slot)].plain = tensor;
    } else {
        held_[index_of(slot)].members[member] = tensor;
    }
    if (before) {
        builder_.release(*before, place);
    }
}

bool Frame::drop_one(Slot slot, const std::string& member, const SourcePlace& place) {
    const std::optional<TensorId> tensor = find(slot, member);
    if (!tensor) {
        return false;
    }
    if (member.empty()) {
        held_[index_of(slot)].plain.reset();
    } else {
        held_[index_of(slot)].members.erase(member);
    }
    builder_.release(*tensor, place);
    return true;
}

void Frame::drop(Slot slot, const SourcePlace& place) {
    drop_one(slot, "", place);
    auto members = std::exchange(held_[index_of(slot)].members, {});
    for (const auto& [name, tensor] : members) {
        builder_.release(tensor, place);
    }
}

void Frame::drop_all(const SourcePlace& place) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
        drop(static_cast<Slot>(i), place);
    }
}

std::optional<std::string> Frame::name_of(TensorId tensor) const {
    for (std::size_t i = 0; i < held_.size(); ++i) {
        const auto& members = held_[i].members;
        const bool is_member = std::any_of(members.begin(), members.end(), [&](const auto& each) {
            return each.second == tensor;
        });
        if (held_[i].plain == tensor || is_member) {
            return fmt::format("{}.{}", use_.form().name.text, use_.form().slots[i]);
        }
    }
    return std::nullopt;
}

void Frame::replace(TensorId held, TensorId by, const SourcePlace& place) {
    const auto exchange = [&](TensorId& tensor) {
        if (tensor == held) {
            builder_.retain(by);
            builder_.release(std::exchange(tensor, by), place);
        }
    };
    for (Held& slot : held_) {
        if (slot.plain) {
            exchange(*slot.plain);
        }
        for (auto& [name, tensor] : slot.members) {
            exchange(tensor);
        }
    }
}

}  // namespace highwater
