// ProgramBuilder's copies and host threads.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/lower/program_builder.hpp"
#include "sim/scenario/text/suggestion.hpp"

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

void ProgramBuilder::add_driver_memory(op::AddDriverMemory memory, const SourcePlace& place) {
    driver_users_.insert(memory.name);
    add(std::move(memory), place);
}

void ProgramBuilder::remove_driver_memory(const std::string& name, const SourcePlace& place) {
    if (driver_users_.erase(name) == 0) {
        throw InputError(place,
                         fmt::format("`{}` has no memory of the driver here", quoted(name)),
                         suggestion(name,
                                    {driver_users_.begin(), driver_users_.end()},
                                    "give it some before, with `driver_memory`"));
    }
    communicators_.erase(name);
    add(op::RemoveDriverMemory{name}, place);
}

void ProgramBuilder::make_communicator(op::MakeCommunicator communicator,
                                       const SourcePlace& place) {
    if (!communicators_.insert(communicator.name).second) {
        throw InputError(
            place,
            fmt::format("communicator `{}` is there already", quoted(communicator.name)),
            "use another name, or give it back before, with `free_driver_memory`");
    }
    driver_users_.insert(communicator.name);
    add(std::move(communicator), place);
}

void ProgramBuilder::all_reduce(op::AllReduce collective, const SourcePlace& place) {
    if (!communicators_.contains(collective.communicator)) {
        throw InputError(
            place,
            fmt::format("there is no communicator `{}` here", quoted(collective.communicator)),
            suggestion(collective.communicator,
                       {communicators_.begin(), communicators_.end()},
                       "make it before, with `communicator`"));
    }
    add(std::move(collective), place);
}

}  // namespace highwater
