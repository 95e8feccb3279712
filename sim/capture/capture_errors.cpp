#include "sim/capture/capture_errors.hpp"

#include <fmt/format.h>

namespace highwater::capture_errors {
namespace {

// The mode in which the call would have been allowed; empty if there is none.
std::string_view lenient_mode(const CallRule& rule, Caller caller) {
    if (!refusal(rule.call_class, CaptureMode::kThreadLocal, caller)) {
        return "thread_local";
    }
    return refusal(rule.call_class, CaptureMode::kRelaxed, caller) ? "" : "relaxed";
}

std::string_view reason(const CallRule& rule, CaptureMode mode, Caller caller) {
    if (rule.call_class != CallClass::kUnsafe) {
        return "";
    }
    if (caller == Caller::kOtherThread) {
        return " by another thread, and its mode is global";
    }
    return mode == CaptureMode::kGlobal ? " by this thread, and its mode is global"
                                        : " by this thread, and its mode is thread_local";
}

}  // namespace

PredictedError refused(CudaError error,
                       const CallRule& rule,
                       std::string_view origin,
                       CaptureMode mode,
                       Caller caller) {
    const std::string_view lenient = lenient_mode(rule, caller);
    return {
        error,
        fmt::format("{} while stream `{}` is being captured{}",
                    rule.what,
                    origin,
                    reason(rule, mode, caller)),
        lenient.empty()
            ? std::string(rule.remedy)
            : fmt::format("{}; or begin the capture with the error mode {}", rule.remedy, lenient)};
}

PredictedError begins_on_default_stream() {
    return {CudaError::kStreamCaptureUnsupported,
            "a capture begins on the default stream",
            "capture on another stream; the graph can be replayed on this one"};
}

PredictedError begins_twice(std::string_view stream, std::string_view origin) {
    return {CudaError::kIllegalState,
            fmt::format("a capture begins on stream `{}`, which is part of the capture of stream "
                        "`{}` already",
                        stream,
                        origin),
            "end that capture first, or capture on another stream"};
}

PredictedError broken(std::string_view origin, const PredictedError& cause) {
    return {
        CudaError::kStreamCaptureInvalidated,
        fmt::format("the capture of stream `{}` is broken since this: {}", origin, cause.what()),
        fmt::format("mend what broke it: {}", cause.remedy())};
}

PredictedError ends_nothing(std::string_view stream) {
    return {CudaError::kIllegalState,
            fmt::format("a capture ends on stream `{}`, which is not capturing", stream),
            "begin the capture before, and end it once"};
}

PredictedError ends_on_other_stream(std::string_view stream, std::string_view origin) {
    return {
        CudaError::kStreamCaptureUnmatched,
        fmt::format(
            "the capture of stream `{}` ends on stream `{}`, which only joined it", origin, stream),
        "end the capture on the stream it began on"};
}

PredictedError unjoined(std::string_view stream, std::string_view origin) {
    return {
        CudaError::kStreamCaptureUnjoined,
        fmt::format(
            "the capture of stream `{}` ends with unjoined work on stream `{}`", origin, stream),
        fmt::format(
            "before the end, let stream `{}` wait for stream `{}` (wait_stream)", origin, stream)};
}

PredictedError ends_on_other_thread(std::string_view origin) {
    return {CudaError::kStreamCaptureWrongThread,
            fmt::format("the capture of stream `{}` is ended by a thread that did not begin it",
                        origin),
            "end the capture in its own thread, or begin it with the error mode relaxed"};
}

PredictedError waits_outside(std::string_view stream,
                             std::string_view origin,
                             const OutsideWork& outside) {
    const std::string who =
        stream == origin
            ? fmt::format("the capture of stream `{}`", origin)
            : fmt::format(
                  "stream `{}`, which is part of the capture of stream `{}`,", stream, origin);
    return {CudaError::kStreamCaptureIsolation,
            fmt::format("{} waits for {}, which is not part of it",
                        who,
                        outside.what.empty() ? "work" : outside.what),
            outside.remedy.empty() ? "wait for it before the capture begins, or let the other "
                                     "stream join the capture first"
                                   : outside.remedy};
}

PredictedError merges(std::string_view stream, std::string_view origin, std::string_view other) {
    return {CudaError::kStreamCaptureMerge,
            fmt::format("stream `{}` is part of the capture of stream `{}` and waits for work of "
                        "the capture of stream `{}`",
                        stream,
                        origin,
                        other),
            "capture both into one graph, or order the replays of two"};
}

PredictedError stale_event() {
    return {
        CudaError::kInvalidValue,
        "an event is used that was recorded in a capture which has ended or is broken",
        "record the event again before it is used, inside the capture under way or outside of any"};
}

PredictedError implicit_dependency(std::string_view origin) {
    return {CudaError::kStreamCaptureImplicit,
            fmt::format("the default stream is used while a blocking stream is part of the capture "
                        "of stream `{}`",
                        origin),
            "make the stream with cudaStreamNonBlocking, as PyTorch's are, or keep off the default "
            "stream until the capture has ended"};
}

PredictedError default_stream_joins(std::string_view origin) {
    return {
        CudaError::kStreamCaptureImplicit,
        fmt::format("the default stream waits for an event of the capture of stream `{}`", origin),
        "run that work on a stream of its own that joins the capture"};
}

}  // namespace highwater::capture_errors
