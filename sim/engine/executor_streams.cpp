// Executor's operations on streams and events.
#include <algorithm>

#include <fmt/format.h>

#include "sim/engine/executor.hpp"

namespace highwater {
namespace {

Duration copy_time(Bytes size, double bytes_per_second, const CardTimes& times) {
    constexpr double kTooLong = 1e6;
    const double seconds =
        bytes_per_second > 0
            ? std::min(static_cast<double>(size.count) / bytes_per_second, kTooLong)
            : 0;
    return times.copy_latency +
           std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

Work work_of(const op::Copy& op, const CardTimes& times) {
    switch (op.kind) {
        case op::CopyKind::kHostToDevice:
            return {copy_time(op.size, times.host_to_device, times), 1, Work::Unit::kCopyIn};
        case op::CopyKind::kDeviceToHost:
            return {copy_time(op.size, times.device_to_host, times), 1, Work::Unit::kCopyOut};
        case op::CopyKind::kDeviceToDevice:
            break;
    }
    return {copy_time(op.size, times.device_to_device, times), 1, Work::Unit::kCard};
}

}  // namespace

void Executor::launch(StreamId on, NodeKind kind, Work work) {
    if (!has_costs_) {
        work.duration = {};
    }
    if (captures_.capture_of(stream(on))) {
        capture_node(on, kind, work);
        return;
    }
    captures_.add_outside(on);
    follow_legacy_order(on);
    use_stream(on);
    begin_operation();
    timeline_.spend(std::min(times_.host.launch, times_.host.operation));
    in_operation_[index_of(thread_)] = false;
    timeline_.launch(on, work);
    if (program_.machine.blocking_launches) {
        timeline_.synchronize(on);
    }
}

void Executor::begin_operation() {
    if (!in_operation_[index_of(thread_)]) {
        in_operation_[index_of(thread_)] = true;
        timeline_.spend(std::max(times_.host.operation - times_.host.launch, Duration{}));
    }
}

void Executor::capture_node(StreamId on, NodeKind kind, const Work& work) {
    begin_operation();
    timeline_.spend(times_.host.capture_node);
    in_operation_[index_of(thread_)] = false;
    captures_.add(on, {kind, on, work.width, work.duration, current_, work.unit});
    if (captures_.edges() > kMaxEdges) {
        refuse(fmt::format("the captures have more than {} edges", kMaxEdges),
               "join streams less often, or capture less");
    }
}

// The default stream and every blocking stream wait for each other (CUDA Runtime API reference,
// stream synchronization behavior).
void Executor::follow_legacy_order(StreamId on) {
    if (!has_blocking_streams_) {
        return;
    }
    if (program_.streams[index_of(on)].blocking) {
        wait(on, record(kDefaultStream));
    } else if (on == kDefaultStream) {
        for (std::uint32_t i = 1; i < program_.streams.size(); ++i) {
            if (program_.streams[i].blocking) {
                wait(on, record(StreamId{i}));
            }
        }
    }
}

void Executor::require_live(const std::optional<TensorId>& tensor) {
    if (tensor) {
        live_tensor(*tensor);
    }
}

OpResult Executor::operator()(const op::Kernel& op) {
    std::ranges::for_each(op.reads, [this](TensorId id) { live_tensor(id); });
    std::ranges::for_each(op.writes, [this](TensorId id) { live_tensor(id); });
    const bool is_known = op.duration != Duration{};
    launch(op.stream,
           NodeKind::kKernel,
           {is_known ? op.duration : times_.card.kernel_base, op.width, Work::Unit::kCard});
    return {};
}

OpResult Executor::operator()(const op::Memset& op) {
    live_tensor(op.tensor);
    launch(op.stream, NodeKind::kMemset, {op.duration, 1, Work::Unit::kCard});
    return {};
}

OpResult Executor::operator()(const op::Copy& op) {
    require_live(op.from);
    require_live(op.to);
    const Work work = work_of(op, times_.card);
    if (work.duration > kMaxDuration) {
        refuse(fmt::format("a copy of {} B lasts longer than an hour", op.size.count),
               "copy less, or correct the cost profile");
    }
    launch(op.stream, NodeKind::kMemcpy, work);
    if (op.blocking) {
        synchronize(op.stream);
    }
    return {};
}

OpResult Executor::operator()(const op::HostFunction& op) {
    launch(op.stream, NodeKind::kHost, {op.duration, 1, Work::Unit::kHost});
    return {};
}

OpResult Executor::operator()(const op::HostWork& op) {
    timeline_.spend(has_costs_ ? op.duration : Duration{});
    return {};
}

OpResult Executor::operator()(const op::SwitchThread& op) {
    entry(program_.threads, op.thread, "thread");
    thread_ = op.thread;
    timeline_.switch_thread(op.thread);
    captures_.switch_thread(op.thread);
    return {};
}

OpResult Executor::operator()(const op::RecordEvent& op) {
    const StreamId at = stream(op.stream);
    auto& event = entry(events_, op.event, "event");
    if (auto captured = captures_.record(at)) {
        timeline_.spend(times_.host.record_event);
        event = Event{EventId{0}, std::move(captured), at, current_};
    } else {
        event = Event{record(at), std::nullopt, at, current_};
    }
    return {};
}

// A step that records and waits is a `wait_stream`, and its event nobody's business.
OutsideWork Executor::outside_work(const op::WaitEvent& op, const Event& event) const {
    const std::string& on = program_.streams[index_of(event.stream)].name;
    const auto& places = program_.places;
    const bool has_places = event.op < places.size() && current_ < places.size();
    const bool is_of_step = has_places && places[event.op] == places[current_];
    const std::string where =
        has_places && !is_of_step ? fmt::format(" at {}", place_text(places[event.op])) : "";
    const std::string what = is_of_step ? fmt::format("stream `{}`", on)
                                        : fmt::format("event `{}`, recorded on stream `{}`{}",
                                                      program_.events[index_of(op.event)],
                                                      on,
                                                      where);
    if (captures_.capture_of(event.stream)) {
        return {what, "record the event again, now that its stream is part of the capture"};
    }
    if (event.stream == kDefaultStream || program_.streams[index_of(event.stream)].blocking) {
        return {what, "wait for it before the capture begins: such a stream cannot join one"};
    }
    return {what,
            fmt::format("wait for it before the capture begins, or let `{0}` join first: `wait: "
                        "{{stream: {0}, for: current}}`{1}",
                        on,
                        is_of_step ? "" : ", and record the event then")};
}

OpResult Executor::operator()(const op::WaitEvent& op) {
    // As in CUDA, waiting for an event that was never recorded does nothing.
    if (const auto& event = entry(events_, op.event, "event")) {
        const StreamId waiting = stream(op.stream);
        const bool is_outside = !event->captured && captures_.capture_of(waiting);
        captures_.wait(
            waiting, event->captured, is_outside ? outside_work(op, *event) : OutsideWork{});
        if (event->captured) {
            timeline_.spend(times_.host.wait_event);
        } else {
            wait(stream(op.stream), event->event);
        }
    }
    return {};
}

void Executor::synchronize(StreamId with) {
    captures_.synchronize(stream(with));
    timeline_.synchronize(with);
}

OpResult Executor::operator()(const op::Synchronize& op) {
    if (op.stream) {
        synchronize(*op.stream);
    } else {
        synchronize_device();
    }
    allocator_.synchronized();
    return {};
}

void Executor::synchronize_device() {
    captures_.call(CudaCall::kDeviceSynchronize);
    timeline_.synchronize_device();
}

EventId Executor::record(StreamId on) {
    const EventId event = timeline_.record(on);
    order_.note_record(on, event);
    return event;
}

void Executor::wait(StreamId on, EventId event) {
    timeline_.wait(on, event);
    order_.note_wait(on, event);
}

OpResult Executor::operator()(const op::SynchronizeEvent& op) {
    const auto& event = entry(events_, op.event, "event");
    captures_.synchronize_event(event ? event->captured : std::nullopt);
    if (event) {
        timeline_.synchronize(event->event);
        allocator_.synchronized();
    }
    return {};
}

OpResult Executor::operator()(const op::QueryEvent& op) {
    const auto& event = entry(events_, op.event, "event");
    captures_.query_event(event ? event->captured : std::nullopt);
    if (event) {
        static_cast<void>(timeline_.completed(event->event));
    }
    return {};
}

OpResult Executor::operator()(const op::HoldStream& op) {
    timeline_.hold(stream(op.stream));
    return {};
}

OpResult Executor::operator()(const op::ReleaseStream& op) {
    timeline_.release(stream(op.stream));
    return {};
}

}  // namespace highwater
