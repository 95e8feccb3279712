// The Executor's operations on communicators.
#include "gpu/executor.hpp"

namespace highwater::gpu {
namespace {

std::int64_t signed_count(Bytes bytes) {
    return static_cast<std::int64_t>(bytes.count);
}

}  // namespace

template <typename Call>
void Executor::note_collective(Call&& call) {
    const auto free_bytes = [this] {
        const RunClock::Pause pause(clock_);
        return card_.free_bytes();
    };
    const Bytes before = free_bytes();
    const Instant began = clock_.now();
    call();
    const Duration time = clock_.now() - began;
    collectives_.push_back({current_, signed_count(before) - signed_count(free_bytes()), time, {}});
}

StepResult Executor::operator()(const op::MakeCommunicator& op) {
    note_collective([&] { card_.make_communicator(op.name); });
    return {};
}

StepResult Executor::operator()(const op::AllReduce& op) {
    Tensor& tensor = live_tensor(op.tensor);
    if (!tensor.memory) {
        return {};
    }
    const Memory memory = *tensor.memory;
    const auto reduce = [&] {
        card_.all_reduce(op.communicator, op.stream, memory.address, memory.size);
    };
    // Time marks may not become part of a capture.
    if (is_capturing()) {
        note_collective(reduce);
    } else {
        const TimeMark begin = card_.mark(op.stream);
        note_collective(reduce);
        timed_collectives_.push_back({collectives_.size() - 1, begin, card_.mark(op.stream)});
    }
    if (tensor.content) {
        tensor.content = reduced(*tensor.content, rank_.count);
    }
    return {};
}

}  // namespace highwater::gpu
