// The Executor's operations on streams and events, and what they leave in tensors.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "gpu/executor.hpp"
#include "gpu/stamps.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {
namespace {

// A sleep would last longer than it is told to.
void spin(Duration duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (std::chrono::steady_clock::now() < end) {
    }
}

}  // namespace

void Executor::add_read(KernelWork& work, const Tensor& tensor) {
    if (!tensor.memory) {
        return;
    }
    if (!tensor.content) {
        ++unverified_reads_;
        return;
    }
    ++verified_reads_;
    work.reads.push_back({tensor.memory->address, tensor.memory->size, tensor.content->here});
}

StepResult Executor::operator()(const op::Kernel& op) {
    KernelWork work{op.duration, op.width, {}, {}, current_};
    for (const TensorId id : op.reads) {
        add_read(work, live_tensor(id));
    }
    for (const TensorId id : op.writes) {
        const Tensor& tensor = live_tensor(id);
        if (tensor.memory) {
            work.writes.push_back({tensor.memory->address, tensor.memory->size, tensor.word.here});
        }
    }
    card_.launch(op.stream, work);
    for (const TensorId id : op.writes) {
        Tensor& tensor = live_tensor(id);
        tensor.content = tensor.word;
    }
    return {};
}

StepResult Executor::operator()(const op::Memset& op) {
    Tensor& tensor = live_tensor(op.tensor);
    if (tensor.memory) {
        card_.fill(op.stream, tensor.memory->address, tensor.memory->size);
        tensor.content = StampedWord{};
    }
    return {};
}

// A copy's source is looked at by a kernel before it; not in a capture, whose graph it would
// change.
void Executor::look_before(const op::Copy& op) {
    if (op.from && !card_.is_capturing(op.stream)) {
        KernelWork look{Duration{}, 1, {}, {}, current_};
        add_read(look, live_tensor(*op.from));
        if (!look.reads.empty()) {
            card_.launch(op.stream, look);
        }
    }
}

StepResult Executor::operator()(const op::Copy& op) {
    CopyWork work{op.kind, op.size, {}, {}};
    const auto place = [&](const std::optional<TensorId>& id) -> std::optional<Address> {
        if (!id) {
            return std::nullopt;
        }
        const Tensor& tensor = live_tensor(*id);
        if (!tensor.memory || tensor.memory->size < op.size) {
            return std::nullopt;
        }
        return tensor.memory->address;
    };
    work.from = place(op.from);
    work.to = place(op.to);
    if (op.size > Bytes{}) {
        look_before(op);
        card_.copy(op.stream, work);
        note_copied(op);
    }
    if (op.blocking) {
        card_.synchronize(op.stream);
    }
    return {};
}

// Pinned memory of the harness's is zeros. What is copied from tensor to tensor keeps its words,
// unless only few of them were written, at other places.
void Executor::note_copied(const op::Copy& op) {
    if (!op.to) {
        return;
    }
    Tensor& to = live_tensor(*op.to);
    const bool is_whole = to.memory && to.memory->size == op.size;
    std::optional<StampedWord> copied;
    if (op.kind == op::CopyKind::kHostToDevice && !op.from) {
        copied = StampedWord{};
    } else if (op.from && op.size.count < kFineStampLimit) {
        const Tensor& from = live_tensor(*op.from);
        copied = from.memory && from.memory->size == op.size ? from.content : std::nullopt;
    }
    to.content = is_whole ? copied : std::nullopt;
}

StepResult Executor::operator()(const op::HostFunction& op) {
    card_.host_function(op.stream, op.duration);
    return {};
}

StepResult Executor::operator()(const op::HostWork& op) {
    spin(op.duration);
    return {};
}

StepResult Executor::operator()(const op::RecordEvent& op) {
    card_.record(op.event, op.stream);
    return {};
}

StepResult Executor::operator()(const op::WaitEvent& op) {
    card_.wait(op.stream, op.event);
    return {};
}

StepResult Executor::operator()(const op::Synchronize& op) {
    if (op.stream) {
        card_.synchronize(*op.stream);
    } else {
        card_.synchronize_device();
    }
    return {};
}

StepResult Executor::operator()(const op::SynchronizeEvent& op) {
    card_.synchronize(op.event);
    return {};
}

StepResult Executor::operator()(const op::QueryEvent& op) {
    card_.query(op.event);
    return {};
}

StepResult Executor::operator()(const op::HoldStream& op) {
    card_.hold(op.stream);
    return {};
}

StepResult Executor::operator()(const op::ReleaseStream& op) {
    card_.release(op.stream);
    return {};
}

}  // namespace highwater::gpu
