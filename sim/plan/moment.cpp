#include "sim/plan/moment.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "sim/engine/run.hpp"
#include "sim/engine/run_observer.hpp"

namespace highwater::plan {
namespace {

// Which tensors are alive in the end.
class LiveObserver final : public RunObserver {
  public:
    explicit LiveObserver(const Program& program) : program_(program) {}

    void take(const TraceEvent&) override {}
    void took(std::size_t op, const OpResult&, const Executor& executor) override {
        if (op + 1 == program_.ops.size()) {
            note(executor);
        }
    }
    // It may be the end.
    void failed(std::size_t, const Executor& executor) override { note(executor); }
    bool is_live(TensorId tensor) const {
        return index_of(tensor) < live_.size() && live_[index_of(tensor)];
    }

  private:
    void note(const Executor& executor) {
        live_.resize(program_.tensors.size());
        for (std::size_t i = 0; i < live_.size(); ++i) {
            live_[i] = executor.is_live(TensorId{static_cast<std::uint32_t>(i)});
        }
    }

    const Program& program_;
    std::vector<bool> live_;
};

// What is tried must end, and the last operation must not be one that a failure leaves out.
Program cut_behind(const Program& program, std::size_t last) {
    Program cut = program;
    cut.ops.resize(std::min(last + 1, program.ops.size()));
    std::size_t open = 0;
    for (const Op& op : cut.ops) {
        open += std::holds_alternative<op::Try>(op) ? 1U : 0U;
        open -= std::holds_alternative<op::EndTry>(op) ? 1U : 0U;
    }
    cut.ops.insert(cut.ops.end(), open, op::EndTry{});
    cut.ops.emplace_back(op::Checkpoint{"moment"});
    return cut;
}

// A tensor's last placement is the one that can be alive.
std::vector<std::size_t> live_placements(const Ledger& ledger, const LiveObserver& observer) {
    std::vector<std::size_t> live;
    std::vector<bool> seen;
    for (std::size_t i = ledger.placements.size(); i-- > 0;) {
        const TensorId tensor = ledger.placements[i].tensor;
        if (index_of(tensor) >= seen.size()) {
            seen.resize(index_of(tensor) + 1);
        }
        if (!seen[index_of(tensor)] && observer.is_live(tensor)) {
            live.push_back(i);
        }
        seen[index_of(tensor)] = true;
    }
    return {live.rbegin(), live.rend()};
}

}  // namespace

Moment moment_behind(const Program& program, std::size_t last, const CostProfile* costs) {
    const Program cut = cut_behind(program, last);
    LiveObserver observer(cut);
    RunOptions options;
    options.costs = costs;
    options.observer = &observer;
    Moment moment{run(cut, options), {}};
    moment.live = live_placements(moment.ledger, observer);
    return moment;
}

}  // namespace highwater::plan
