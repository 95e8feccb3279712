// StepRunner's steps that are work of the card or of the host beside kernels.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/driver/memory_profile.hpp"
#include "sim/engine/op_grammar.hpp"
#include "sim/scenario/lower/step_runner.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

constexpr Bytes kItemSize{4};

op::CopyKind kind_of(const step::Copy& step) {
    if (step.kind) {
        return step.kind->text == "host_to_device"   ? op::CopyKind::kHostToDevice
               : step.kind->text == "device_to_host" ? op::CopyKind::kDeviceToHost
                                                     : op::CopyKind::kDeviceToDevice;
    }
    if (step.from && step.to) {
        return op::CopyKind::kDeviceToDevice;
    }
    return step.from ? op::CopyKind::kDeviceToHost : op::CopyKind::kHostToDevice;
}

op::DriverUser user_of(const std::string& kind) {
    const auto found = std::find(kDriverUsers.begin(), kDriverUsers.end(), kind);
    return static_cast<op::DriverUser>(found - kDriverUsers.begin());
}

// A buffer that an earlier size was enough for.
void require_room(const std::optional<TensorName>& tensor,
                  const std::optional<Bytes>& has,
                  Bytes size) {
    if (has && size > *has) {
        throw InputError(tensor->reference.source.place,
                         fmt::format("a copy of {} B, and `{}` has {} B",
                                     size.count,
                                     quoted(tensor->reference.source.text),
                                     has->count),
                         "allocate it for the largest copy, or copy less");
    }
}

}  // namespace

void StepRunner::operator()(const step::Memset& step) {
    const SourcePlace place = position_.place;
    const StreamId on = position_.stream_or_current(step.stream);
    if (const std::optional<TensorId> tensor = names_.optional_tensor(step.tensor)) {
        const std::optional<Bytes> size = builder_.size_of(*tensor);
        const Duration writing = size ? times_.of(*size) : Duration{};
        builder_.work(op::Memset{on, *tensor, step.duration ? times_.of(*step.duration) : writing},
                      place);
    }
}

void StepRunner::operator()(const step::Copy& step) {
    const SourcePlace place = position_.place;
    op::Copy copy{};
    copy.stream = position_.stream_or_current(step.stream);
    copy.kind = kind_of(step);
    copy.blocking = step.blocking;
    copy.from = step.from ? names_.optional_tensor(*step.from) : std::nullopt;
    copy.to = step.to ? names_.optional_tensor(*step.to) : std::nullopt;
    copy.size = size_of(step, copy, place);
    builder_.work(copy, place);
}

// The tensor's, and of two the smaller one's.
Bytes StepRunner::size_of(const step::Copy& step, const op::Copy& copy, const SourcePlace& place) {
    const std::optional<Bytes> from = copy.from ? builder_.size_of(*copy.from) : std::nullopt;
    const std::optional<Bytes> to = copy.to ? builder_.size_of(*copy.to) : std::nullopt;
    if (step.size) {
        const Bytes size = position_.size(*step.size);
        require_room(step.from, from, size);
        require_room(step.to, to, size);
        return size;
    }
    if (!from && !to) {
        throw InputError(place, "a copy of an unknown size", "give its `size`");
    }
    return from && to ? std::min(*from, *to) : from ? *from : *to;
}

void StepRunner::operator()(const step::Item& step) {
    op::Copy copy{};
    copy.stream = position_.stream_or_current(step.stream);
    copy.kind = op::CopyKind::kDeviceToHost;
    copy.blocking = true;
    copy.size = kItemSize;
    copy.from = names_.optional_tensor(step.tensor);
    builder_.work(copy, position_.place);
}

void StepRunner::operator()(const step::HostFunction& step) {
    const StreamId on = position_.stream_or_current(step.stream);
    builder_.work(op::HostFunction{on, times_.of(step.duration)}, position_.place);
}

void StepRunner::operator()(const step::HostWork& step) {
    builder_.work(op::HostWork{times_.of(step.duration)}, position_.place);
}

void StepRunner::operator()(const step::SynchronizeEvent& step) {
    builder_.synchronize_event(position_.name(step.event), step.event.source.place);
}

void StepRunner::operator()(const step::QueryEvent& step) {
    builder_.query_event(position_.name(step.event), step.event.source.place);
}

void StepRunner::operator()(const step::AddDriverMemory& step) {
    op::AddDriverMemory made;
    made.name = position_.name(step.name);
    made.source = step.source.text;
    made.user = user_of(step.kind.text);
    made.size = position_.size(step.size);
    made.error = step.error ? position_.size(*step.error)
                            : ErrorBar{{}, times_.share(*step.within)}.of(made.size);
    if (step.stream) {
        made.stream = position_.stream(*step.stream);
    }
    builder_.add_driver_memory(std::move(made), position_.place);
}

void StepRunner::operator()(const step::RemoveDriverMemory& step) {
    builder_.remove_driver_memory(position_.name(step.name), step.name.source.place);
}

void StepRunner::operator()(const step::MakeCommunicator& step) {
    const auto size_of = [this](const std::optional<Formula>& size) {
        return size ? position_.size(*size) : Bytes{};
    };
    op::MakeCommunicator made;
    made.name = position_.name(step.name);
    made.source = step.source.text;
    made.size = position_.size(step.size);
    made.first_use = size_of(step.first_use);
    made.captured = size_of(step.captured);
    made.error = step.error
                     ? position_.size(*step.error)
                     : ErrorBar{{}, times_.share(*step.within)}.of(made.size + made.first_use);
    builder_.make_communicator(std::move(made), position_.place);
}

void StepRunner::operator()(const step::AllReduce& step) {
    const SourcePlace place = position_.place;
    op::AllReduce made;
    made.stream = position_.stream_or_current(step.stream);
    made.communicator = position_.name(step.communicator);
    op::Kernel work;
    times_.set(work, step.cost);
    made.duration = work.duration;
    made.width = work.width;
    if (const std::optional<TensorId> tensor = names_.optional_tensor(step.tensor)) {
        made.tensor = *tensor;
        builder_.all_reduce(std::move(made), place);
    }
}

// A thread has a current stream of its own.
void StepRunner::operator()(const step::OnThread& step) {
    const SourcePlace place = position_.place;
    const ThreadId outside = builder_.switch_thread(step.thread.text, place);
    run(step.body, kDefaultStream);
    builder_.switch_thread(outside, place);
}

void StepRunner::operator()(const step::Try& step) {
    const SourcePlace place = position_.place;
    builder_.begin_try(position_.name(step.name), place);
    run(step.body);
    builder_.end_try(place);
}

}  // namespace highwater
