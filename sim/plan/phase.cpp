#include "sim/plan/phase.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace highwater::plan {
namespace {

class PhaseMaker {
  public:
    explicit PhaseMaker(const Lowered& lowered) : program_(lowered.program) {}

    std::vector<Phase> make(const std::vector<PhaseSpan>& spans) {
        for (const PhaseSpan& span : spans) {
            add_steps(span.first);
            add(std::string(name_of(span.kind)), span.place, span.end, true);
        }
        add_steps(program_.ops.size());
        return std::move(phases_);
    }

  private:
    void add_steps(std::size_t end) {
        for (std::size_t op = at_; op < end; ++op) {
            if (const auto* checkpoint = std::get_if<op::Checkpoint>(&program_.ops[op])) {
                add(fmt::format("to checkpoint {}", checkpoint->name), place_of(at_), op + 1);
            }
        }
        add("steps", place_of(at_), end);
    }

    void add(std::string name, const SourcePlace& place, std::size_t end, bool is_written = false) {
        if (at_ < end) {
            phases_.push_back({std::move(name), place, at_, end, is_written});
            at_ = end;
        }
    }

    SourcePlace place_of(std::size_t op) const {
        return op < program_.places.size() ? program_.places[op] : SourcePlace{};
    }

    const Program& program_;
    std::vector<Phase> phases_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<Phase> phases_of(const Lowered& lowered) {
    return PhaseMaker(lowered).make(lowered.phases);
}

}  // namespace highwater::plan
