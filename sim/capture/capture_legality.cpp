// What Captures says to calls beside a capture, and what breaks one.
#include <fmt/format.h>

#include "sim/capture/capture_errors.hpp"
#include "sim/capture/captures.hpp"

namespace highwater {

std::string Captures::name_of(StreamId stream) const {
    return index_of(stream) < streams_.size() ? streams_[index_of(stream)].name
                                              : fmt::format("{}", index_of(stream));
}

bool Captures::is_blocking(StreamId stream) const {
    return index_of(stream) < streams_.size() && streams_[index_of(stream)].blocking;
}

bool Captures::is_active(CaptureId capture) const {
    const auto found = under_way_.find(capture);
    return found != under_way_.end() && !found->second.broken_by;
}

const Captures::Member* Captures::member(StreamId stream) const {
    const auto found = members_.find(stream);
    return found == members_.end() ? nullptr : &found->second;
}

Captures::Member* Captures::member(StreamId stream) {
    const auto found = members_.find(stream);
    return found == members_.end() ? nullptr : &found->second;
}

void Captures::break_by(const PredictedError& error, CaptureId capture) {
    auto& broken_by = under_way_.at(capture).broken_by;
    if (!broken_by) {
        broken_by = error;
        under_way_.at(capture).broken_at = op_;
    }
}

void Captures::fail(const PredictedError& error, CaptureId breaking) {
    break_by(error, breaking);
    throw error;
}

void Captures::require_unbroken(StreamId stream) const {
    const Member* part = member(stream);
    if (part == nullptr) {
        return;
    }
    if (under_way_.at(part->capture).broken_by) {
        throw broken(under_way_.at(part->capture));
    }
}

PredictedError Captures::broken(const UnderWay& capture) const {
    PredictedError error =
        capture_errors::broken(name_of(capture.origin), capture.broken_by.value());
    error.set_cause(capture.broken_at);
    return error;
}

void Captures::add_outside(StreamId stream) {
    if (stream != kDefaultStream) {
        return;
    }
    std::optional<PredictedError> error;
    for (auto& [id, capture] : under_way_) {
        if (capture.has_blocking) {
            error = error ? error : capture_errors::implicit_dependency(name_of(capture.origin));
            break_by(*error, id);
        }
    }
    if (error) {
        throw *error;
    }
}

std::optional<PredictedError> Captures::error_of(CudaCall call, std::string_view what) {
    CallRule rule = rule_of(call);
    rule.what = what.empty() ? rule.what : what;
    return refuse(rule, std::nullopt);
}

std::optional<PredictedError> Captures::refuse(const CallRule& rule,
                                               std::optional<CaptureId> only) {
    std::optional<PredictedError> first;
    for (const auto& [id, capture] : under_way_) {
        if (only && id != *only) {
            continue;
        }
        const Caller caller =
            capture.thread == thread_ ? Caller::kCapturingThread : Caller::kOtherThread;
        if (const auto error = refusal(rule.call_class, capture.mode, caller)) {
            const PredictedError refused = capture_errors::refused(
                *error, rule, name_of(capture.origin), capture.mode, caller);
            break_by(refused, id);
            first = first ? first : refused;
        }
    }
    return first;
}

void Captures::call(CudaCall call) {
    if (under_way_.empty()) {
        return;
    }
    if (const auto error = refuse(call, std::nullopt)) {
        throw *error;
    }
}

void Captures::synchronize(StreamId stream) {
    if (const Member* part = member(stream)) {
        if (const auto error = refuse(CudaCall::kCapturingStreamSynchronize, part->capture)) {
            throw *error;
        }
    }
    add_outside(stream);
    call(CudaCall::kStreamSynchronize);
}

void Captures::synchronize_event(const std::optional<CapturedEvent>& event) {
    ask(event, CudaCall::kEventSynchronize, CudaCall::kCapturedEventSynchronize);
}

void Captures::query_event(const std::optional<CapturedEvent>& event) {
    ask(event, CudaCall::kEventQuery, CudaCall::kCapturedEventQuery);
}

void Captures::ask(const std::optional<CapturedEvent>& event, CudaCall outside, CudaCall captured) {
    if (!event) {
        call(outside);
    } else if (!is_active(event->capture)) {
        throw capture_errors::stale_event();
    } else if (const auto error = refuse(captured, event->capture)) {
        throw *error;
    }
}

}  // namespace highwater
