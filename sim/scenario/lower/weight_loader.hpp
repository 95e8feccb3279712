#pragma once

#include "sim/scenario/lower/frame.hpp"
#include "sim/scenario/lower/position.hpp"

namespace highwater {

class StepRunner;

/// Allocates the weights of a model: those of each template for every place and layer that uses it,
/// in the order in which a pass comes by.
class WeightLoader {
  public:
    WeightLoader(const StepRunner& steps, Position& position, ProgramBuilder& builder)
        : steps_(steps), position_(position), builder_(builder) {}

    void load(TemplateUse& use, const Arguments& arguments);

  private:
    void walk(const StepList& steps);
    void visit(const Step& step);
    void visit(const step::UseTemplate& use, const Step& step);
    void visit(const step::Layers& layers);
    void visit(const step::Call& call);
    void visit(const step::Choice& choice);
    void push(const PlacedText& name, const Formula& value);

    const StepRunner& steps_;
    Position& position_;
    ProgramBuilder& builder_;
    TemplateUse* use_ = nullptr;
    std::int64_t layers_ = 0;
};

}  // namespace highwater
