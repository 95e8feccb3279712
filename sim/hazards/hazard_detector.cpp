#include "sim/hazards/hazard_detector.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace highwater {

HazardDetector::HazardDetector(const Program& program)
    : program_(program),
      order_(program),
      log_(program),
      tensors_(program.tensors.size()),
      events_(program.events.size()),
      parts_(program.streams.size()) {}

void HazardDetector::take(const TraceEvent& event) {
    if (event.kind == TraceEvent::Kind::kSegmentFree ||
        event.kind == TraceEvent::Kind::kSegmentUnmap) {
        given_back_.push_back(event);
    }
}

void HazardDetector::took(std::size_t op, const OpResult& result, const Executor& executor) {
    begin_op(op, executor);
    if (const auto* placed = std::get_if<Placed>(&result)) {
        placed_ = *placed;
        in_default_pool_ =
            executor.allocator().state().usages.at(placed->pool).id == kDefaultPoolId;
    }
    std::visit([this](const auto& taken) { observe(taken); }, program_.ops[op]);
}

void HazardDetector::failed(std::size_t op, const Executor& executor) {
    begin_op(op, executor);
    if (const auto* ended = std::get_if<op::EndCapture>(&program_.ops[op])) {
        leave_capture(ended->graph);
    } else if (std::holds_alternative<op::RestorePool>(program_.ops[op])) {
        // A tensor may be alive without its memory.
        std::ranges::for_each(tensors_, [](Tensor& tensor) { tensor.first.reset(); });
    }
}

void HazardDetector::begin_op(std::size_t op, const Executor& executor) {
    op_ = static_cast<std::uint32_t>(op);
    is_stream_ordered_ = executor.async_allocator() != nullptr;
    routing_ = !executor.allocator().state().routings.empty();
    for (const TraceEvent& event : std::exchange(given_back_, {})) {
        give_back(event);
    }
}

void HazardDetector::place(TensorId tensor, StreamId home) {
    last_instance_ = Instance{static_cast<std::uint32_t>(last_instance_) + 1};
    Tensor& placed = tensors_[index_of(tensor)];
    placed.instance = last_instance_;
    placed.begin = placed_.address;
    placed.end = placed_.address + placed_.size;
    placed.home = home;
    placed.allocated = op_;
    placed.in_default_pool =
        in_default_pool_ && (!is_stream_ordered_ || part_of(home).accesses == nullptr);
    placed.captured = false;
    placed.is_viewed = false;
    placed.is_view = false;
    placed.contents.clear();
    placed.uses.clear();
    if (placed_.size == Bytes{0}) {
        return;
    }
    Clock awaited;
    placed.first = memory_.hold(placed.begin, placed.end, placed.instance, awaited);
    if (is_stream_ordered_) {
        order_.wait(home, awaited);
    } else {
        order_.host().join(awaited);
    }
}

ShadowMemory::Iterator HazardDetector::first_cell(const Tensor& tensor) {
    return tensor.first ? *tensor.first : memory_.cells(tensor.begin, tensor.end);
}

// Events are recorded for the uses, with cudaMallocAsync for the tensor's own stream too; while a
// routing is active, only later, and only for those that were not added under one (allocator
// specification 7.2 and 8.3). What is given to the stream between the two moments is left out here:
// nobody may access the tensor then.
void HazardDetector::observe(const op::Free& op) {
    if (!program_.machine.caching) {
        // cudaFree waits for the card.
        order_.synchronize();
    }
    Tensor& freed = tensors_[index_of(op.tensor)];
    if (freed.begin == freed.end || freed.is_view) {
        return;
    }
    bool uses_lost = false;
    std::shared_ptr<Clock> awaited;
    if (is_stream_ordered_) {
        awaited = std::make_shared<Clock>(order_.record(freed.home));
    }
    for (const allocator::Use& use : freed.uses) {
        if (routing_ && use.under_routing) {
            uses_lost = true;
            continue;
        }
        awaited = awaited == nullptr ? std::make_shared<Clock>() : awaited;
        awaited->join(order_.record(use.stream));
    }
    memory_.let_go(first_cell(freed), freed.end, {freed.instance, op_, uses_lost}, awaited);
    if ((freed.captured || freed.is_viewed) && freed.in_default_pool) {
        stale_.emplace(freed.instance, op_);
    }
}

void HazardDetector::observe(const op::WeakView& op) {
    Tensor& of = tensors_[index_of(op.of)];
    of.is_viewed = true;
    Tensor& view = tensors_[index_of(op.view)];
    view = of;
    view.view_of = of.is_view ? of.view_of : op.of;
    view.is_view = true;
    view.contents = contents_of(of);
    view.first.reset();
}

std::vector<RangeAccess> HazardDetector::contents_of(const Tensor& tensor) {
    std::vector<RangeAccess> contents;
    if (tensor.begin == tensor.end) {
        return contents;
    }
    const auto end = memory_.all().end();
    for (auto it = memory_.cells(tensor.begin, tensor.end); it != end && it->first < tensor.end;
         ++it) {
        if (!it->second.writes.empty()) {
            contents.push_back({it->first, it->second.end, it->second.writes.back()});
        }
    }
    return contents;
}

// A view stands for what was there when it was taken: what one replay left, but not what the next
// one of its graph wrote.
void HazardDetector::look_through(const Tensor& view, const Access& access, const Clock& known) {
    for (const RangeAccess& seen : view.contents) {
        if (seen.access.graph == Access::kNone) {
            continue;
        }
        const auto cell = memory_.cells(seen.begin, seen.end);
        if (cell->second.writes.empty()) {
            continue;
        }
        Access last = cell->second.writes.back();
        if (last.graph == seen.access.graph && last.instance == seen.access.instance &&
            last.op != seen.access.op && !last.updates && known.covers(last.stream, last.epoch)) {
            last.unread = seen.access.op;
            outrun(last, access, cell);
            return;
        }
    }
}

void HazardDetector::observe(const op::RecordStream& op) {
    Tensor& used = tensors_[index_of(op.tensor)];
    if (op.stream == used.home) {
        return;
    }
    const auto found = std::ranges::find(used.uses, op.stream, &allocator::Use::stream);
    if (found != used.uses.end()) {
        found->under_routing |= routing_;
    } else {
        used.uses.push_back({op.stream, routing_});
    }
}

WorkPoint HazardDetector::begin_work(const Part& part, StreamId stream) {
    return part.accesses != nullptr ? part.accesses->order().work(stream) : order_.work(stream);
}

void HazardDetector::access(const Part& part, const WorkPoint& at, TensorId tensor, Kind kind) {
    const bool writes = kind == Kind::kWrite;
    Tensor& used = tensors_[index_of(tensor)];
    if (used.begin == used.end) {
        return;
    }
    Access access;
    access.op = op_;
    access.tensor = tensor;
    access.instance = used.instance;
    access.allocated = used.allocated;
    access.stream = at.stream;
    access.epoch = at.epoch;
    access.writes = writes;
    access.copies = kind == Kind::kCopy;
    if (part.accesses == nullptr) {
        if (used.is_view && is_stale(access)) {
            return;
        }
        if (used.is_view && !writes) {
            look_through(used, access, at.known);
        }
        const auto first = first_cell(used);
        writes ? memory_.write(first, used.end, access, at.known, *this)
               : memory_.read(first, used.end, access, at.known, *this);
        return;
    }
    used.captured = true;
    within_ = part.graph;
    const RangeAccess range{used.begin, used.end, access};
    writes ? part.accesses->write(range, at.known, *this)
           : part.accesses->read(range, at.known, *this);
    within_.reset();
}

void HazardDetector::observe(const op::Kernel& op) {
    const Part& part = part_of(op.stream);
    const WorkPoint at = begin_work(part, op.stream);
    for (const TensorId tensor : op.reads) {
        access(part, at, tensor, Kind::kRead);
    }
    for (const TensorId tensor : op.writes) {
        access(part, at, tensor, Kind::kWrite);
    }
}

void HazardDetector::observe(const op::Memset& op) {
    const Part& part = part_of(op.stream);
    access(part, begin_work(part, op.stream), op.tensor, Kind::kWrite);
}

void HazardDetector::observe(const op::Copy& op) {
    const Part& part = part_of(op.stream);
    const WorkPoint at = begin_work(part, op.stream);
    if (op.from) {
        access(part, at, *op.from, Kind::kCopy);
    }
    if (op.to) {
        access(part, at, *op.to, Kind::kWrite);
    }
    if (op.blocking) {
        order_.synchronize(op.stream);
    }
}

void HazardDetector::observe(const op::AllReduce& op) {
    const Part& part = part_of(op.stream);
    const WorkPoint at = begin_work(part, op.stream);
    access(part, at, op.tensor, Kind::kRead);
    access(part, at, op.tensor, Kind::kWrite);
}

void HazardDetector::observe(const op::HostFunction& op) {
    begin_work(part_of(op.stream), op.stream);
}

void HazardDetector::observe(const op::RecordEvent& op) {
    const Part& part = part_of(op.stream);
    auto& event = events_[index_of(op.event)];
    if (part.accesses != nullptr) {
        event = Event{part.accesses->order().record(op.stream), part.graph};
    } else {
        event = Event{order_.record(op.stream), std::nullopt};
    }
}

void HazardDetector::observe(const op::WaitEvent& op) {
    const auto& event = events_[index_of(op.event)];
    if (!event) {
        return;
    }
    if (!event->graph) {
        order_.wait(op.stream, event->clock);
        return;
    }
    if (const auto found = captures_.find(*event->graph); found != captures_.end()) {
        found->second.order().wait(op.stream, event->clock);
        part_of(op.stream) = {*event->graph, &found->second};
    }
}

void HazardDetector::observe(const op::Synchronize& op) {
    if (op.stream) {
        order_.synchronize(*op.stream);
    } else {
        order_.synchronize();
    }
}

void HazardDetector::observe(const op::SynchronizeEvent& op) {
    if (const auto& event = events_[index_of(op.event)]; event && !event->graph) {
        order_.host().join(event->clock);
    }
}

std::vector<Hazard> find_hazards(const Program& program, RunOptions options) {
    HazardDetector detector(program);
    options.observer = &detector;
    run(program, options);
    return detector.hazards();
}

}  // namespace highwater
