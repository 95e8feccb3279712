#include "sim/engine/executor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/allocator/pools.hpp"
#include "sim/engine/modelled_settings.hpp"

namespace highwater {

namespace {

// A hundred years: longer programs would overflow the clock.
constexpr Duration kLongest = std::chrono::hours{24 * 365 * 100};

// What a host thread does, and not what the Program says about it.
bool is_call(const Op& op) {
    return !std::holds_alternative<op::SwitchThread>(op) &&
           !std::holds_alternative<op::Checkpoint>(op) && !std::holds_alternative<op::Try>(op) &&
           !std::holds_alternative<op::EndTry>(op);
}

// The allocator's settings, if the machine is one that can be.
AllocatorSettings settings_of(const Machine& machine) {
    const SourcePlace place{"machine"};
    if (machine.total_memory > kMaxTotalMemory) {
        throw InputError(
            place,
            fmt::format("{} B of memory are more than any card has", machine.total_memory.count),
            fmt::format("give at most {}", kMaxTotalMemory.count));
    }
    if (!(machine.memory_fraction >= 0 && machine.memory_fraction <= 1)) {
        throw InputError(place,
                         fmt::format("the memory fraction is {}", machine.memory_fraction),
                         "give a number from 0 to 1");
    }
    return modelled_settings(machine.conf, place);
}

PoolProfile pool_profile(const MemoryProfile& costs) {
    PoolProfile profile;
    if (costs.memory_nodes.step > Bytes{}) {
        profile.page = costs.memory_nodes.step;
    }
    return profile;
}

std::vector<CapturableStream> capturable_streams(const Program& program) {
    std::vector<CapturableStream> streams;
    for (const StreamEntry& stream : program.streams) {
        streams.push_back({stream.name, stream.blocking});
    }
    return streams;
}

}  // namespace

Executor::Executor(const Program& program,
                   DeviceMemory& memory,
                   const CostProfile& costs,
                   PoolNumbers numbers)
    : program_(program),
      has_costs_(costs != CostProfile{}),
      times_(costs.times),
      in_operation_(std::max<std::size_t>(program.threads.size(), 1)),
      // One more: a stream of PyTorch's own.
      timeline_(times_, program.streams.size() + 1, program.threads.size()),
      driver_(costs.memory),
      card_(memory, driver_),
      streams_used_(program.streams.size()),
      memory_(card_, times_.host, timeline_),
      has_blocking_streams_(std::ranges::any_of(program.streams, &StreamEntry::blocking)),
      captures_(capturable_streams(program)),
      guarded_memory_(memory_, captures_),
      order_(timeline_, [this] { synchronize_device(); }),
      driver_nodes_(captures_, current_),
      allocator_(settings_of(program.machine),
                 program.machine.total_memory,
                 Ports{guarded_memory_, timeline_, captures_},
                 AsyncPorts{memory_, order_, driver_nodes_},
                 AsyncSetup{StreamId{static_cast<std::uint32_t>(program.streams.size())},
                            pool_profile(costs.memory)}),
      numbers_(numbers),
      tensors_(program.tensors.size()),
      events_(program.events.size()),
      graphs_(program.graphs.size()),
      pools_(program.pools.size()) {
    for (const StreamEntry& stream : program.streams) {
        const auto expected = static_cast<std::uint32_t>(&stream - program.streams.data());
        if (allocator_.native().add_stream(stream.handle) != StreamId{expected}) {
            refuse(fmt::format("stream `{}` is out of place", stream.name),
                   "list each stream once, the default stream (handle 0) first");
        }
    }
    if (!program.machine.caching) {
        uncached_.emplace(memory_, captures_, program.machine.total_memory);
    }
    if (program.machine.memory_fraction < 1.0) {
        allocator_.set_memory_fraction(program.machine.memory_fraction);
    }
}

OpResult Executor::step(std::size_t index) {
    current_ = index;
    captures_.set_operation(index);
    if (is_call(program_.ops[index])) {
        timeline_.begin_call();
    }
    timeline_.set_origin(index);
    call_began_ = timeline_.now();
    OpResult result = std::visit(*this, program_.ops[index]);
    if (timeline_.now() > Instant{kLongest} || timeline_.work() > kLongest) {
        refuse("the program lasts longer than a hundred years", "give shorter durations");
    }
    return result;
}

void Executor::set_listeners(TimelineListener* timeline, DeviceCallListener* device_calls) {
    timeline_.set_listener(timeline);
    memory_.set_listener(device_calls);
}

void Executor::refuse(const std::string& problem, const std::string& remedy) const {
    const SourcePlace place = current_ < program_.places.size()
                                  ? program_.places[current_]
                                  : SourcePlace{"program", current_ + 1, 0};
    throw InputError(place, problem, remedy);
}

void Executor::refuse_id(std::string_view word, std::size_t id, std::size_t known) const {
    refuse(fmt::format("the operation names {} {} of {}", word, id, known),
           fmt::format("add the {} to the program's table", word));
}

StreamId Executor::stream(StreamId id) const {
    entry(program_.streams, id, "stream");
    return id;
}

Executor::Tensor& Executor::live_tensor(TensorId id) {
    Tensor& found = tensor(id);
    if (!found.live) {
        refuse(fmt::format("tensor `{}` is not allocated here", program_.tensors[index_of(id)]),
               "allocate it before, and free it once");
    }
    return found;
}

OpResult Executor::operator()(const op::Alloc& op) {
    return allocate(op.tensor, op.size, op.stream);
}

// Segments of this size and more are whole multiples of 2 MiB: what is left over serves no unit.
OpResult Executor::operator()(const op::AllocRest& op) {
    constexpr std::uint64_t kGranularity = (2_MiB).count;
    if (op.unit.count == 0) {
        refuse("a unit of 0 bytes", "give the unit's size");
    }
    const Bytes unreserved = this->unreserved();
    const std::uint64_t free = unreserved > op.keep_free
                                   ? (unreserved - op.keep_free).count / kGranularity * kGranularity
                                   : 0;
    const std::uint64_t units = std::max<std::uint64_t>(1, free / op.unit.count);
    return allocate(op.tensor, Bytes{units * op.unit.count}, op.stream);
}

// What segments may still be taken from.
Bytes Executor::unreserved() const {
    const Bytes device = memory_.free_bytes();
    const std::optional<Bytes> limit = uncached_ ? std::nullopt : allocator_.limit();
    const MemoryStats stats = allocator_.stats();
    const Bytes counted{allocator_.async() != nullptr ? stats.allocated_bytes.all.current
                                                      : stats.reserved_bytes.all.current};
    if (!limit) {
        return device;
    }
    return *limit > counted ? std::min(device, *limit - counted) : Bytes{0};
}

Executor::Tensor& Executor::free_name(TensorId id) {
    Tensor& found = tensor(id);
    if (found.live) {
        refuse(fmt::format("tensor `{}` is allocated already", program_.tensors[index_of(id)]),
               "free it first, or use another name");
    }
    return found;
}

OpResult Executor::allocate(TensorId id, Bytes size, StreamId on) {
    Tensor& to = free_name(id);
    begin_operation();
    timeline_.spend(times_.host.malloc);
    const MallocResult result = malloc(size, stream(on));
    if (const auto* out_of_memory = std::get_if<OutOfMemory>(&result)) {
        return *out_of_memory;
    }
    to.live = true;
    const auto* allocated = std::get_if<Allocated>(&result);
    to.block = allocated != nullptr ? std::optional(allocated->block) : std::nullopt;
    if (allocated == nullptr) {
        return Placed{Address{0}, size};
    }
    return Placed{allocated->address, size, usage_of(allocated->block)};
}

std::size_t Executor::usage_of(BlockId block) const {
    // Neither has pools.
    if (uncached_ || allocator_.async() != nullptr) {
        return 0;
    }
    const Allocator& native = allocator_.native();
    return allocator::pool_of(native.state(), native.block(block)).usage;
}

MallocResult Executor::malloc(Bytes size, StreamId on) {
    if (uncached_) {
        return uncached_->malloc(size);
    }
    // To know whether the allocation belongs to a pool, PyTorch asks for the stream's capture.
    if (size > Bytes{0}) {
        captures_.require_unbroken(on);
    }
    guarded_memory_.ask_for(on);
    return allocator_.malloc(size, on, thread_);
}

void Executor::give_back(BlockId block) {
    if (uncached_) {
        uncached_->free(block);
    } else {
        allocator_.free(block);
    }
}

OpResult Executor::operator()(const op::Free& op) {
    Tensor& freed = live_tensor(op.tensor);
    freed.live = false;
    timeline_.spend(times_.host.free);
    if (freed.block) {
        give_back(*freed.block);
    }
    return {};
}

OpResult Executor::operator()(const op::WeakView& op) {
    live_tensor(op.of);
    free_name(op.view) = {true, std::nullopt};
    return {};
}

OpResult Executor::operator()(const op::RecordStream& op) {
    const Tensor& used = live_tensor(op.tensor);
    if (used.block && !uncached_) {
        allocator_.record_stream(*used.block, stream(op.stream));
    }
    return {};
}

OpResult Executor::operator()(const op::EmptyCache&) {
    allocator_.empty_cache();
    return {};
}

OpResult Executor::operator()(const op::SetAllocatorSettings& op) {
    allocator_.apply_settings(op.conf);
    return {};
}

OpResult Executor::operator()(const op::ResetPeaks&) {
    allocator_.reset_peaks();
    return {};
}

OpResult Executor::operator()(const op::Checkpoint&) {
    return {};
}

OpResult Executor::operator()(const op::Try&) {
    return {};
}

OpResult Executor::operator()(const op::EndTry&) {
    return {};
}

}  // namespace highwater
