#include "sim/scenario/lower/tensor_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

bool is_plain(const Formula& reference) {
    return reference.tree.nodes.size() == 1;
}

}  // namespace

// Empty for a plain name: most are, and then there is nothing to evaluate.
std::string TensorNames::member_of(const TensorName& name) {
    return is_plain(name.reference) ? std::string() : position_.name(name.reference);
}

std::optional<TensorId> TensorNames::find(const TensorName& name) {
    if (name.slot) {
        return frame->find(*name.slot, member_of(name));
    }
    return builder_.find_live_tensor(position_.name(name.reference));
}

TensorId TensorNames::tensor(const TensorName& name) {
    if (const std::optional<TensorId> found = find(name)) {
        return *found;
    }
    if (frame == nullptr) {
        return builder_.live_tensor(position_.name(name.reference), name.reference.source.place);
    }
    name.slot ? refuse_own(name) : refuse_unknown(name);
}

void TensorNames::refuse_own(const TensorName& name) const {
    const Template& form = frame->use().form();
    const bool is_weight =
        std::any_of(form.weights.begin(), form.weights.end(), [&](const Allocation& weight) {
            return weight.tensor.slot == name.slot;
        });
    throw InputError(
        name.reference.source.place,
        is_weight ? fmt::format("`{}` is a weight of `{}`, and not loaded",
                                quoted(name.reference.source.text),
                                form.name.text)
                  : fmt::format("`{}` is not allocated here", quoted(name.reference.source.text)),
        is_weight
            ? "put `load_weights` before the phases that run it"
            : fmt::format("`{}` must make it before this step, and not free it", form.name.text));
}

// A name that the template does not make is a static tensor's, or misspelt.
void TensorNames::refuse_unknown(const TensorName& name) const {
    const Template& form = frame->use().form();
    throw InputError(name.reference.source.place,
                     fmt::format("`{}` is neither a tensor of `{}` nor a static one",
                                 quoted(name.reference.source.text),
                                 form.name.text),
                     suggestion(base_name(name.reference),
                                form.slots,
                                "make it in the template, list it under `in`, or allocate it "
                                "before the pass"));
}

std::optional<TensorId> TensorNames::optional_tensor(const TensorName& name) {
    return leaves_out_missing ? find(name) : tensor(name);
}

std::vector<std::optional<TensorId>> TensorNames::optional_tensors(
    const std::vector<TensorName>& names) {
    std::vector<std::optional<TensorId>> ids;
    ids.reserve(names.size());
    for (const TensorName& each : names) {
        ids.push_back(optional_tensor(each));
    }
    return ids;
}

std::vector<TensorId> TensorNames::tensors(const std::vector<TensorName>& names) {
    std::vector<TensorId> ids;
    ids.reserve(names.size());
    for (const TensorName& each : names) {
        if (const std::optional<TensorId> found = optional_tensor(each)) {
            ids.push_back(*found);
        }
    }
    return ids;
}

TensorId TensorNames::free_variable(const TensorName& name) {
    return name.slot ? frame->free_variable(*name.slot, member_of(name))
                     : builder_.free_variable(position_.name(name.reference));
}

TensorId TensorNames::allocate(const TensorName& name, Bytes size, StreamId on) {
    const TensorId tensor = free_variable(name);
    builder_.allocate(tensor, size, on, name.reference.source.place);
    return tensor;
}

void TensorNames::allocate_held(const TensorName& name, Bytes size, StreamId on) {
    if (!name.slot) {
        builder_.allocate(position_.name(name.reference), size, on, name.reference.source.place);
        return;
    }
    hold(name, allocate(name, size, on));
}

void TensorNames::hold(const TensorName& name, TensorId tensor) {
    const SourcePlace& place = name.reference.source.place;
    if (name.slot) {
        frame->hold(*name.slot, member_of(name), tensor, place);
    } else {
        builder_.assign(position_.name(name.reference), tensor, place);
    }
}

void TensorNames::free(const TensorName& name) {
    const SourcePlace& place = name.reference.source.place;
    if (!name.slot) {
        builder_.free(position_.name(name.reference), place);
    } else if (is_plain(name.reference)) {
        frame->drop(*name.slot, place);
    } else {
        frame->drop_one(*name.slot, member_of(name), place);
    }
}

void TensorNames::end(const std::vector<Slot>& last_uses) {
    for (const Slot slot : last_uses) {
        frame->drop(slot, position_.place);
    }
}

}  // namespace highwater
