#pragma once

#include <cstddef>
#include <vector>

#include "sim/snapshot/replay.hpp"

namespace highwater {

/// What looks like one capture: requests [first, end) of `Replay::recorded.requests`.
struct FoundCapture {
    std::size_t first = 0;
    std::size_t end = 0;
    PoolId pool;
    /// The bytes that it asked for in its pool, all together: how captures of one model compare.
    Bytes requested;
};

/// Captures, as far as a history shows them: a private pool in use on streams that can be captured,
/// up to a request that cannot be part of the same capture (memory of the default pool or of
/// another pool, an emptied cache). Where such a run is one pattern of allocations and frees over
/// and over, on the same streams and for other sizes, each turn is a capture: graphs of one model
/// for several batch sizes. Turns of the same sizes are taken for layers of one capture, which
/// graphs captured anew for the same batch size look like, too.
std::vector<FoundCapture> captures_found(const RecordedHistory& recorded);

}  // namespace highwater
