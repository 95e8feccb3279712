#pragma once

#include <map>
#include <vector>

#include "sim/allocator/snapshot.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/engine/ledger.hpp"

namespace highwater::gpu {

/// What each pool, and each stream in it, ever reserved, followed from trace events.
class PoolMarks : public TraceSink {
  public:
    void take(const TraceEvent& event) override;

    /// The default pools first, then private pools as they came up. What they hold now is in
    /// `segments`. Names are left to the caller.
    std::vector<PoolRow> rows(const std::vector<SegmentInfo>& segments) const;

  private:
    struct Mark {
        Bytes now;
        Bytes high;
        void grow(Bytes size);
        void shrink(Bytes size);
    };
    struct Pool {
        PoolId id;
        Mark total;
        std::map<StreamId, Mark> streams;
    };
    Pool& pool(PoolId id);

    std::vector<Pool> pools_{Pool{}};
};

}  // namespace highwater::gpu
