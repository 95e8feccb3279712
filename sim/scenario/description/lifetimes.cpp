#include "sim/scenario/description/lifetimes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/scenario/description/walk_steps.hpp"

namespace highwater {
namespace {

// Which slots some steps mention, and whether they read it before they make it.
using Mentions = std::map<Slot, bool>;

void add(Mentions& mentions, const TensorUse& use) {
    if (use.tensor->slot) {
        mentions.try_emplace(*use.tensor->slot, !use.is_made);
    }
}

Mentions mentions_in(StepList& steps);

Mentions mentions_in(Step& step) {
    Mentions all;
    for (const TensorUse& use : tensors_of(step.kind)) {
        add(all, use);
    }
    for (StepList* body : bodies_of(step.kind)) {
        all.merge(mentions_in(*body));
    }
    return all;
}

Mentions mentions_in(StepList& steps) {
    Mentions all;
    for (Step& step : steps) {
        all.merge(mentions_in(step));
    }
    return all;
}

bool is_loop(const Step& step) {
    return std::holds_alternative<step::Loop>(step.kind) ||
           std::holds_alternative<step::Layers>(step.kind);
}

class Lifetimes {
  public:
    explicit Lifetimes(Template& form) : form_(form) {}

    void assign() {
        for (TensorName& tensor : form_.in) {
            make(tensor);
        }
        for (Allocation& weight : form_.weights) {
            make(weight.tensor);
        }
        make_all(form_.body);
        set_slots(form_.body);
        set_slots(form_.in);
        for (Allocation& weight : form_.weights) {
            set_slot(weight.tensor);
        }
        set_slots(form_.out);
        set_slots(form_.keep);
        end(form_.body, slots_that_end());
    }

  private:
    void make(const TensorName& tensor) {
        const auto next = static_cast<Slot>(form_.slots.size());
        if (slots_.try_emplace(base_name(tensor.reference), next).second) {
            form_.slots.push_back(base_name(tensor.reference));
        }
    }

    void make_all(StepList& steps) {
        for (Step& step : steps) {
            for (const TensorUse& use : tensors_of(step.kind)) {
                if (use.is_made) {
                    make(*use.tensor);
                }
            }
            for (StepList* body : bodies_of(step.kind)) {
                make_all(*body);
            }
        }
    }

    void set_slot(TensorName& tensor) const {
        const auto found = slots_.find(base_name(tensor.reference));
        if (found != slots_.end()) {
            tensor.slot = found->second;
        }
    }
    void set_slots(std::vector<TensorName>& tensors) const {
        std::for_each(tensors.begin(), tensors.end(), [this](auto& each) { set_slot(each); });
    }
    void set_slots(StepList& steps) const {
        for (Step& step : steps) {
            for (const TensorUse& use : tensors_of(step.kind)) {
                set_slot(*use.tensor);
            }
            for (StepList* body : bodies_of(step.kind)) {
                set_slots(*body);
            }
        }
    }

    std::set<Slot> slots_that_end() const {
        std::set<Slot> all;
        for (const auto& [name, slot] : slots_) {
            all.insert(slot);
        }
        for (const auto* kept : {&form_.out, &form_.keep}) {
            for (const TensorName& tensor : *kept) {
                if (tensor.slot) {
                    all.erase(*tensor.slot);
                }
            }
        }
        return all;
    }

    // Where in the list each of the slots ends: behind the last step that mentions it, or inside
    // that step if nothing else does.
    void end(StepList& steps, const std::set<Slot>& slots) {
        std::map<Slot, std::vector<Step*>> mentioned;
        for (Step& step : steps) {
            for (const auto& [slot, is_read] : mentions_in(step)) {
                if (slots.contains(slot)) {
                    mentioned[slot].push_back(&step);
                }
            }
        }
        std::map<StepList*, std::set<Slot>> inner;
        for (const auto& [slot, by] : mentioned) {
            StepList* body = by.size() == 1 ? only_body(*by.front(), slot) : nullptr;
            if (body != nullptr) {
                inner[body].insert(slot);
            } else {
                by.back()->last_uses.push_back(slot);
            }
        }
        for (const auto& [body, ending] : inner) {
            end(*body, ending);
        }
    }

    // The one list inside the step to which the slot's whole life belongs.
    static StepList* only_body(Step& step, Slot slot) {
        Mentions own;
        for (const TensorUse& use : tensors_of(step.kind)) {
            add(own, use);
        }
        StepList* only = nullptr;
        for (StepList* body : bodies_of(step.kind)) {
            const Mentions inside = mentions_in(*body);
            const auto found = inside.find(slot);
            if (found == inside.end()) {
                continue;
            }
            const bool comes_from_last_turn = is_loop(step) && found->second;
            if (only != nullptr || own.contains(slot) || comes_from_last_turn) {
                return nullptr;
            }
            only = body;
        }
        return only;
    }

    Template& form_;
    std::map<std::string, Slot> slots_;
};

}  // namespace

void assign_lifetimes(Template& form) {
    Lifetimes(form).assign();
}

}  // namespace highwater
