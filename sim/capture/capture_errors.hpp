#pragma once

#include <string_view>

#include "sim/allocator/predicted_error.hpp"
#include "sim/capture/capture_rules.hpp"
#include "sim/capture/captures.hpp"

/// What CUDA says where a program breaks the structure of a capture, one function a rule. All were
/// measured on driver 580, CUDA 13.0. Streams are given by name; `origin` is the one that a capture
/// began on.
namespace highwater::capture_errors {

/// A call of `refusal`'s table.
PredictedError refused(CudaError error,
                       const CallRule& rule,
                       std::string_view origin,
                       CaptureMode mode,
                       Caller caller);
/// cudaStreamBeginCapture on the default stream.
PredictedError begins_on_default_stream();
/// cudaStreamBeginCapture on a stream of a capture, also of a broken one.
PredictedError begins_twice(std::string_view stream, std::string_view origin);
/// Anything in a capture that broke before; `cause` broke it.
PredictedError broken(std::string_view origin, const PredictedError& cause);
/// cudaStreamEndCapture on a stream that is not capturing.
PredictedError ends_nothing(std::string_view stream);
/// ... on a stream that joined the capture.
PredictedError ends_on_other_stream(std::string_view stream, std::string_view origin);
/// ... with work on a stream that was not joined back.
PredictedError unjoined(std::string_view stream, std::string_view origin);
/// ... from another thread.
PredictedError ends_on_other_thread(std::string_view origin);
/// A wait in a capture for an event from outside.
PredictedError waits_outside(std::string_view stream,
                             std::string_view origin,
                             const OutsideWork& outside);
/// A wait in one capture for an event of another.
PredictedError merges(std::string_view stream, std::string_view origin, std::string_view other);
/// A wait for, or a question to, an event that was recorded in a capture that has ended or broken.
PredictedError stale_event();
/// Something on the default stream while a blocking stream is part of a capture.
PredictedError implicit_dependency(std::string_view origin);
/// A wait of the default stream for an event of a capture.
PredictedError default_stream_joins(std::string_view origin);

}  // namespace highwater::capture_errors
