#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "sim/engine/run_observer.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// Reads the meters before and behind each bucket's captures.
class CaptureMeter final : public RunObserver {
  public:
    /// What one bucket's captures added.
    struct Growth {
        InUse use;
        Bytes allocated;
    };

    /// Both outlive it.
    CaptureMeter(const Program& program, const std::vector<BucketSpan>& spans);

    void take(const TraceEvent&) override {}
    void took(std::size_t op, const OpResult&, const Executor& executor) override;
    void failed(std::size_t op, const Executor& executor) override;

    /// In the order of the spans; nothing for those that were not reached.
    const std::vector<Growth>& growths() const { return growths_; }

  private:
    struct Reading {
        InUse use;
        Bytes allocated;
    };

    void close(std::size_t span, const Executor& executor);
    static Reading read(const Executor& executor);

    const std::vector<BucketSpan>& spans_;
    /// Behind an operation a span's captures begin, or end: what goes before the first capture,
    /// as giving back what is cached, is no part of them.
    std::multimap<std::size_t, std::size_t> begins_;
    std::multimap<std::size_t, std::size_t> ends_;
    /// Operations that either names: few of many.
    std::vector<bool> is_read_behind_;
    std::vector<Reading> before_;
    std::vector<Growth> growths_;
};

}  // namespace highwater::plan
