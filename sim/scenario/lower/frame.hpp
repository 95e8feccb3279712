#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/description/template.hpp"
#include "sim/scenario/lower/program_builder.hpp"

namespace highwater {

/// One place in the model that uses a template: gives the tensors there their names and remembers
/// its weights, however often it is run.
class TemplateUse {
  public:
    /// Outside of all templates.
    TemplateUse() = default;
    TemplateUse(const Template& form, std::string path, std::optional<std::int64_t> layer);

    const Template& form() const { return *form_; }

    /// The use of a template within this one: by the step that uses it, and the layer.
    TemplateUse& inner(const Step& step, std::optional<std::int64_t> layer, const Template& form);

    /// A tensor of the slot that is not allocated now. `member` is its name with indices, or empty.
    TensorId free_variable(Slot slot, const std::string& member, ProgramBuilder& builder);

    /// By position in the form; empty until they are loaded.
    std::vector<TensorId> weights;

  private:
    struct Variables {
        std::vector<TensorId> tensors;
        /// Where to look next for a free one, if there are many.
        std::size_t next = 0;
    };
    TensorId free_one_of(Variables& variables, const std::string& name, ProgramBuilder& builder);

    const Template* form_ = nullptr;
    std::string path_;
    std::optional<std::int64_t> layer_;
    std::vector<Variables> by_slot_;
    std::map<std::string, Variables> members_;
    std::map<std::pair<const Step*, std::int64_t>, std::unique_ptr<TemplateUse>> inner_;
    std::map<std::string, std::size_t> labels_;
    /// What all uses under the outermost one take.
    std::shared_ptr<std::size_t> bytes_ = std::make_shared<std::size_t>(0);
};

/// The tensors of one run of a template, by slot. Each that is held is a reference.
class Frame {
  public:
    /// `caller` is the frame around, or null.
    Frame(TemplateUse& use, Frame* caller, ProgramBuilder& builder)
        : use_(use), caller_(caller), builder_(builder), held_(use.form().slots.size()) {}

    TemplateUse& use() const { return use_; }
    Frame* caller() const { return caller_; }

    std::optional<TensorId> find(Slot slot, const std::string& member) const;
    TensorId free_variable(Slot slot, const std::string& member) {
        return use_.free_variable(slot, member, builder_);
    }
    /// Takes over a reference to the tensor; what was held before loses one.
    void hold(Slot slot, const std::string& member, TensorId tensor, const SourcePlace& place);
    /// Of a name and of all its members.
    void drop(Slot slot, const SourcePlace& place);
    /// Of this name alone; false if it holds nothing.
    bool drop_one(Slot slot, const std::string& member, const SourcePlace& place);
    void drop_all(const SourcePlace& place);
    /// The name of a slot that holds the tensor: `template.tensor`.
    std::optional<std::string> name_of(TensorId tensor) const;
    /// Lets every name that holds the one hold the other.
    void replace(TensorId held, TensorId by, const SourcePlace& place);

    /// The streams of the branches that have begun.
    std::map<std::string, StreamId> branches;
    /// How many layers the template's `layers` steps have in all, and the first of each.
    std::int64_t layers = 0;
    std::map<const step::Layers*, std::int64_t> first_layers;

  private:
    struct Held {
        std::optional<TensorId> plain;
        std::map<std::string, TensorId> members;
    };

    TemplateUse& use_;
    Frame* caller_;
    ProgramBuilder& builder_;
    std::vector<Held> held_;
};

}  // namespace highwater
