#include "sim/scenario/check/check_calls.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/check/check_arguments.hpp"
#include "sim/scenario/description/walk_steps.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

// Lowering recurses into calls.
constexpr std::size_t kMaxCallDepth = 32;

class CallChecker {
  public:
    CallChecker(const Scenario& scenario, Problems& problems)
        : scenario_(scenario), problems_(problems) {
        for (const Procedure& procedure : scenario.procedures) {
            procedures_.emplace(procedure.name.text, &procedure);
        }
    }

    void check_all() {
        calls_in(scenario_.steps);
        for (const Procedure& procedure : scenario_.procedures) {
            if (!heights_.contains(procedure.name.text)) {
                heights_[procedure.name.text] = height(procedure);
            }
        }
    }

  private:
    // How many procedures deep the calls in the steps go.
    std::size_t calls_in(const StepList& steps) {
        std::size_t deepest = 0;
        for (const Step& each : steps) {
            if (const auto* call = std::get_if<step::Call>(&each.kind)) {
                problems_.attempt([&] { deepest = std::max(deepest, height_of_callee(*call)); });
            }
            for (const StepList* body : bodies_of(each.kind)) {
                deepest = std::max(deepest, calls_in(*body));
            }
        }
        return deepest;
    }

    std::size_t height(const Procedure& procedure) {
        under_way_.push_back(&procedure);
        const std::size_t inside = calls_in(procedure.body);
        under_way_.pop_back();
        return inside + 1;
    }

    std::size_t height_of_callee(const step::Call& call) {
        const Procedure& callee = find(call.procedure);
        require_arguments(call.arguments, callee.parameters, call.procedure, problems_);
        if (std::find(under_way_.begin(), under_way_.end(), &callee) != under_way_.end()) {
            throw InputError(
                call.procedure.place,
                fmt::format("the procedure `{}` comes to call itself", callee.name.text),
                "use a loop");
        }
        if (!heights_.contains(callee.name.text)) {
            require_depth(call, under_way_.size() + 1);
            heights_[callee.name.text] = height(callee);
        }
        require_depth(call, under_way_.size() + heights_[callee.name.text]);
        return heights_[callee.name.text];
    }

    static void require_depth(const step::Call& call, std::size_t depth) {
        if (depth > kMaxCallDepth) {
            throw InputError(call.procedure.place,
                             fmt::format("procedures call each other {} deep", depth),
                             fmt::format("keep it to {}", kMaxCallDepth));
        }
    }

    const Procedure& find(const PlacedText& name) const {
        const auto found = procedures_.find(name.text);
        if (found != procedures_.end()) {
            return *found->second;
        }
        std::vector<std::string> known;
        for (const Procedure& procedure : scenario_.procedures) {
            known.push_back(procedure.name.text);
        }
        if (problems_.is_lost(name.text)) {
            throw FollowUpError(name.place, "a refused procedure", "mend it");
        }
        throw InputError(name.place,
                         fmt::format("unknown procedure `{}`", quoted(name.text)),
                         suggestion(name.text, known, "define it under `procedures`"));
    }

    const Scenario& scenario_;
    Problems& problems_;
    std::map<std::string, const Procedure*> procedures_;
    std::map<std::string, std::size_t> heights_;
    std::vector<const Procedure*> under_way_;
};

}  // namespace

void check_calls(const Scenario& scenario, Problems& problems) {
    CallChecker(scenario, problems).check_all();
}

}  // namespace highwater
