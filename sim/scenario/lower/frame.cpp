#include "sim/scenario/lower/frame.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace highwater {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 29;

}  // namespace

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
    const std::string path = path_.empty() ? label : path_ + "." + label;
    *bytes_ += sizeof(TemplateUse) + path.size();
    if (*bytes_ > kMaxBytes) {
        throw InputError(step.place,
                         fmt::format("templates use each other so often that their names take more "
                                     "than {} bytes",
                                     kMaxBytes),
                         "use a loop where a template uses others several times");
    }
    found = std::make_unique<TemplateUse>(form, path, layer);
    found->bytes_ = bytes_;
    return *found;
}

TensorId TemplateUse::free_variable(Slot slot, const std::string& member, ProgramBuilder& builder) {
    return member.empty()
               ? free_one_of(by_slot_[index_of(slot)], form_->slots[index_of(slot)], builder)
               : free_one_of(members_[member], member, builder);
}

// Where very many are alive it is enough to look at some: each is looked at in its turn.
TensorId TemplateUse::free_one_of(Variables& variables,
                                  const std::string& name,
                                  ProgramBuilder& builder) {
    constexpr std::size_t kMostLooks = 64;
    std::vector<TensorId>& tensors = variables.tensors;
    variables.next = tensors.size() <= kMostLooks ? 0 : variables.next;
    for (std::size_t looks = 0; looks < std::min(tensors.size(), kMostLooks); ++looks) {
        const TensorId each = tensors[variables.next++ % tensors.size()];
        if (!builder.is_live(each)) {
            return each;
        }
    }
    tensors.push_back(builder.new_tensor(fmt::format("{}.{}", path_, name)));
    return tensors.back();
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
