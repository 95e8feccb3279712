#include "sim/allocator/async/async_allocator.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/allocator/predicted_error.hpp"
#include "sim/core/check.hpp"

namespace highwater {
namespace {

// Larger requests would overflow where sizes are rounded; no device has so much.
constexpr Bytes kLargestRequest{std::uint64_t{1} << 61U};

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
    throw PredictedError(PredictedError::Kind::kRuntimeError, what, remedy);
}

[[noreturn]] void refuse_pools() {
    refuse("the backend cudaMallocAsync has no memory pools of PyTorch's",
           "leave the pool out, or use the native backend");
}

void add_once(std::vector<StreamId>& streams, StreamId stream) {
    if (std::ranges::find(streams, stream) == streams.end()) {
        streams.push_back(stream);
    }
}

StatByPool statistic(const MarkedSize& size) {
    StatByPool result;
    result.all.current = size.current.count;
    result.all.peak = size.high.count;
    return result;
}

}  // namespace

AsyncAllocator::AsyncAllocator(const AllocatorSettings& settings,
                               Bytes total_memory,
                               StreamId unifying_stream,
                               AsyncPorts ports,
                               const PoolProfile& profile)
    : settings_(settings),
      ports_(ports),
      total_memory_(total_memory),
      unifying_stream_(unifying_stream),
      pool_(profile, ports.device, ports.order),
      graph_memory_(profile, ports.device, ports.order, ports.captures) {
    pool_.set_release_threshold(Bytes{UINT64_MAX});
}

MallocResult AsyncAllocator::malloc(Bytes requested, StreamId stream) {
    if (requested == Bytes{}) {
        return NullPointer{};
    }
    Pointer pointer{.address = {},
                    .size = requested,
                    .stream = stream,
                    .uses = {},
                    .in_capture = is_capturing_,
                    .graph = ports_.captures.capture_of(stream),
                    .is_live = true};
    const std::optional<Address> address = is_allowed(requested) ? take(pointer) : std::nullopt;
    if (!address) {
        return out_of_memory(requested);
    }
    pointer.address = *address;
    used_ += requested;
    return Allocated{keep(std::move(pointer)), *address};
}

bool AsyncAllocator::is_allowed(Bytes requested) const {
    return requested <= kLargestRequest &&
           (!limit_ || (used_ <= *limit_ && requested <= *limit_ - used_));
}

std::optional<Address> AsyncAllocator::take(const Pointer& pointer) {
    if (pointer.graph) {
        return graph_memory_.malloc(*pointer.graph, pointer.size, pointer.stream);
    }
    ports_.captures.require_unsafe_calls();
    return pool_.malloc(pointer.size, pointer.stream);
}

OutOfMemory AsyncAllocator::out_of_memory(Bytes requested) const {
    return {.requested = requested,
            .rounded = requested,
            .segment = requested,
            .device_free = ports_.device.free_bytes(),
            .device_total = total_memory_,
            .limit = limit_,
            .allocated = used_,
            .reserved = pool_.reserved().current};
}

BlockId AsyncAllocator::keep(Pointer&& pointer) {
    if (vacant_.empty()) {
        vacant_.push_back(BlockId{static_cast<std::uint32_t>(pointers_.size())});
        pointers_.emplace_back();
    }
    const BlockId id = vacant_.back();
    vacant_.pop_back();
    pointers_[index_of(id)] = std::move(pointer);
    return id;
}

AsyncAllocator::Pointer& AsyncAllocator::live_pointer(BlockId block) {
    check(index_of(block) < pointers_.size() && pointers_[index_of(block)].is_live,
          "a block given to the allocator is one of its own, and allocated");
    return pointers_[index_of(block)];
}

// On the stream of its creation PyTorch only warns.
void AsyncAllocator::record_stream(BlockId block, StreamId stream) {
    Pointer& pointer = live_pointer(block);
    if (stream != pointer.stream) {
        add_once(pointer.uses, stream);
    }
}

void AsyncAllocator::free(BlockId block) {
    Pointer& pointer = live_pointer(block);
    if (is_capturing_ && !pointer.in_capture) {
        pointer.is_live = false;
        deferred_.push_back(block);
    } else {
        give_back(block);
    }
}

void AsyncAllocator::give_back(BlockId block) {
    const Pointer pointer = std::exchange(pointers_[index_of(block)], {});
    vacant_.push_back(block);
    used_ -= pointer.size;
    const StreamId stream = free_stream(pointer);
    if (!pointer.graph) {
        give_back_to_pool(pointer.address, stream);
    } else if (ports_.captures.capture_of(stream) == pointer.graph) {
        graph_memory_.free(*pointer.graph, pointer.address, stream);
    } else {
        ports_.captures.require_unsafe_calls();
        graph_memory_.free_outside(*pointer.graph, pointer.address);
    }
}

void AsyncAllocator::give_back_to_pool(Address address, StreamId stream) {
    if (ports_.captures.capture_of(stream)) {
        refuse("memory from outside a capture is freed in it (cudaErrorInvalidValue)",
               "free it before the capture or after it");
    }
    ports_.captures.require_unsafe_calls();
    pool_.free(address, stream);
}

// The driver frees in one stream: where there are several, one that waits for them all.
StreamId AsyncAllocator::free_stream(const Pointer& pointer) {
    if (!pointer.uses.empty()) {
        wait_for(unifying_stream_, pointer.stream);
        for (const StreamId use : pointer.uses) {
            wait_for(unifying_stream_, use);
        }
    }
    const StreamId stream = pointer.uses.empty() ? pointer.stream : unifying_stream_;
    if (is_capturing_) {
        add_once(free_streams_, stream);
    }
    return stream;
}

void AsyncAllocator::wait_for(StreamId waiting, StreamId waited_for) {
    if (ports_.captures.capture_of(waited_for)) {
        ports_.captures.join(waiting, waited_for);
    } else {
        ports_.order.wait(waiting, ports_.order.record(waited_for));
    }
}

void AsyncAllocator::empty_cache() {
    ports_.order.synchronize_device();
    pool_.trim_to(Bytes{});
}

void AsyncAllocator::begin_capture(PoolId, CaptureId) {
    if (is_capturing_) {
        refuse("the backend cudaMallocAsync allows one capture at a time in a process",
               "end the one before, or use the native backend");
    }
    is_capturing_ = true;
}

void AsyncAllocator::join_free_streams(StreamId origin) {
    for (const StreamId stream : std::exchange(free_streams_, {})) {
        if (stream != origin && ports_.captures.capture_of(stream)) {
            ports_.captures.join(origin, stream);
        }
    }
}

void AsyncAllocator::end_routing(PoolId) {
    is_capturing_ = false;
    free_streams_.clear();
    for (const BlockId block : std::exchange(deferred_, {})) {
        give_back(block);
    }
}

std::optional<OutOfMemory> AsyncAllocator::launch(CaptureId graph, StreamId stream) {
    return graph_memory_.launch(graph, stream)
               ? std::nullopt
               : std::optional(out_of_memory(graph_memory_.footprint(graph)));
}

void AsyncAllocator::create_pool(PoolId, bool, bool) {
    refuse_pools();
}

void AsyncAllocator::destroy_pool(PoolId) {
    refuse_pools();
}

void AsyncAllocator::begin_use_mem_pool(PoolId) {
    refuse_pools();
}

void AsyncAllocator::set_memory_fraction(double fraction) {
    limit_ = Bytes{static_cast<std::uint64_t>(fraction * static_cast<double>(total_memory_.count))};
}

MemoryStats AsyncAllocator::stats() const {
    MemoryStats stats;
    stats.allocated_bytes = statistic(pool_.used());
    stats.active_bytes = stats.allocated_bytes;
    stats.reserved_bytes = statistic(pool_.reserved());
    return stats;
}

}  // namespace highwater
