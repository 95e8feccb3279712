#pragma once

#include "sim/allocator/ports.hpp"

namespace highwater {

/// How the work of streams is ordered, beyond which of it is done: what cudaMallocAsync needs to
/// give one stream's freed memory to another. Points of a stream are events recorded there.
class StreamOrder : public EventSource {
  public:
    /// True if the stream's next work cannot begin before the point is passed: it lies behind it in
    /// the same stream, or through waits.
    virtual bool is_behind(StreamId stream, EventId point) const = 0;
    /// cudaStreamWaitEvent.
    virtual void wait(StreamId stream, EventId point) = 0;
    /// cudaDeviceSynchronize. Throws `PredictedError` where CUDA refuses it, as in a capture, and
    /// where it would never return.
    virtual void synchronize_device() = 0;
};

/// Captures that can be added to: cudaMallocAsync, cudaFreeAsync and waits become part of them.
class CaptureRecorder : public CaptureSource {
  public:
    /// An allocation node behind the capturing stream's terminals.
    virtual NodeId add_allocation(StreamId stream) = 0;
    /// A free node, likewise.
    virtual NodeId add_free(StreamId stream) = 0;
    /// An event recorded on `waited_for`, which is capturing, and waited for by `waiting`, which
    /// becomes part of the capture.
    virtual void join(StreamId waiting, StreamId waited_for) = 0;
    /// A call that a capture may forbid to other streams and other threads, by its mode
    /// (cudaThreadExchangeStreamCaptureMode): throws `PredictedError` if one under way does, which
    /// is broken then.
    virtual void require_unsafe_calls() = 0;
};

}  // namespace highwater
