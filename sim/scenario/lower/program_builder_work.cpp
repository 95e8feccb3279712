// ProgramBuilder's copies and host threads.
#include <algorithm>

#include "sim/scenario/lower/program_builder.hpp"

namespace highwater {

void ProgramBuilder::work(const op::Copy& copy, const SourcePlace& place) {
    const std::size_t tensors = (copy.from ? 1U : 0U) + (copy.to ? 1U : 0U);
    add(copy, place, 1 + tensors);
}

void ProgramBuilder::copy(StreamId on, TensorId from, TensorId to, const SourcePlace& place) {
    op::Copy made{};
    made.stream = on;
    made.kind = op::CopyKind::kDeviceToDevice;
    made.size = std::min(size_of(from).value_or(Bytes{}), size_of(to).value_or(Bytes{}));
    made.from = from;
    made.to = to;
    work(made, place);
}

ThreadId ProgramBuilder::switch_thread(const std::string& thread, const SourcePlace& place) {
    std::vector<std::string>& threads = program_.threads;
    if (threads.empty()) {
        threads.emplace_back(kMainThread);
    }
    auto found = std::find(threads.begin(), threads.end(), thread);
    if (found == threads.end()) {
        found = threads.insert(threads.end(), thread);
    }
    const ThreadId outside = thread_;
    switch_thread(static_cast<ThreadId>(found - threads.begin()), place);
    return outside;
}

void ProgramBuilder::switch_thread(ThreadId thread, const SourcePlace& place) {
    if (thread != thread_) {
        thread_ = thread;
        add(op::SwitchThread{thread}, place);
    }
}

}  // namespace highwater
