#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/driver/cost_profile.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/scenario/lower/lower.hpp"

namespace highwater::plan {

/// What the meters of a process show at one moment.
struct Meters {
    /// By PyTorch's allocator: memory_allocated, memory_reserved.
    Bytes allocated;
    Bytes reserved;
    /// Beside it.
    Bytes driver;
    /// What cudaMemGetInfo counts as not free.
    Bytes in_use() const { return reserved + driver; }
    friend bool operator==(const Meters&, const Meters&) = default;
};

/// By how much each meter rose; negative where memory went back.
struct MeterDelta {
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    /// Of the device's free memory, the wrong way round.
    std::int64_t device = 0;
    friend bool operator==(const MeterDelta&, const MeterDelta&) = default;
};

MeterDelta delta(const Meters& from, const Meters& to);

/// A run whose meters were read behind every operation.
class MeteredRun {
  public:
    MeteredRun(const Program& program, const CostProfile* costs);

    const Ledger& ledger() const { return ledger_; }
    /// Operations that were done, or tried.
    std::size_t operations() const { return behind_.size(); }
    /// Before operation `op`; behind the last one that was reached, if it was not.
    Meters before(std::size_t op) const;
    /// The greatest of `allocated`, and of what is in use, behind the operations [first, end).
    Bytes peak_allocated(std::size_t first, std::size_t end) const;
    Bytes peak_in_use(std::size_t first, std::size_t end) const;
    /// Takes what operation `op` took from the meters behind it, as if it were not there.
    void leave_out(std::size_t op);

  private:
    Ledger ledger_;
    std::vector<Meters> behind_;
};

/// The capture of one bucket: its graph, or graphs where it is captured in segments.
struct CapturedPass {
    /// As the scenario calls it: "graph[8]".
    std::string graph;
    /// The number in it.
    std::optional<std::int64_t> bucket;
    /// Captures of one phase are of one mode; those of no phase are of one together.
    std::size_t mode = 0;
    /// Operations [first, end), from the beginning of the capture to what comes before the next.
    std::size_t first = 0;
    std::size_t end = 0;
    friend bool operator==(const CapturedPass&, const CapturedPass&) = default;
};

/// In the Program's order. What is captured while it serves is not among them.
std::vector<CapturedPass> captured_passes(const Lowered& lowered);

}  // namespace highwater::plan
