#pragma once

#include <cstddef>

#include "sim/allocator/trace_event.hpp"
#include "sim/engine/executor.hpp"

namespace highwater {

/// Looks on while a Program runs. Trace events come while their operation is under way, before
/// `took` or `failed` names it.
class RunObserver : public TraceSink {
  public:
    /// The operation was done; `executor` is as it left it.
    virtual void took(std::size_t op, const OpResult& result, const Executor& executor) = 0;
    /// PyTorch refused the operation, or memory ran out: it was not done, or not to its end.
    virtual void failed(std::size_t op, const Executor& executor) = 0;
};

/// Two that look on, the first one first.
class TwoObservers final : public RunObserver {
  public:
    /// Both outlive it.
    TwoObservers(RunObserver& first, RunObserver& second) : first_(first), second_(second) {}

    void take(const TraceEvent& event) override {
        first_.take(event);
        second_.take(event);
    }
    void took(std::size_t op, const OpResult& result, const Executor& executor) override {
        first_.took(op, result, executor);
        second_.took(op, result, executor);
    }
    void failed(std::size_t op, const Executor& executor) override {
        first_.failed(op, executor);
        second_.failed(op, executor);
    }

  private:
    RunObserver& first_;
    RunObserver& second_;
};

}  // namespace highwater
