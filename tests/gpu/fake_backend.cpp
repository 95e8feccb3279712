#include "tests/gpu/fake_backend.hpp"

#include <utility>

#include "gpu/allocator_calls.hpp"
#include "gpu/stamps.hpp"
#include "sim/engine/modelled_settings.hpp"

namespace highwater::gpu {
namespace {

std::vector<CapturableStream> capturable(const Program& program) {
    std::vector<CapturableStream> streams;
    for (const StreamEntry& stream : program.streams) {
        streams.push_back({stream.name, stream.blocking});
    }
    return streams;
}

// A map cannot hold all that a kernel's grid can look at: the beginning and the end will do.
std::vector<std::uint64_t> stamped_places(const Stamped& stamped) {
    const std::uint64_t last = (stamped.address.value + stamped.size.count - 1) / kStampStep;
    std::vector<std::uint64_t> places{stamped.address.value};
    if (last * kStampStep > stamped.address.value) {
        places.push_back(last * kStampStep);
    }
    return places;
}

}  // namespace

bool FakeDeviceMemory::take(Bytes size) {
    if (size > free_bytes()) {
        return false;
    }
    taken_ += size;
    return true;
}

std::optional<Address> FakeDeviceMemory::allocate(Bytes size) {
    return size > free_bytes() ? std::nullopt : memory_.allocate(size);
}

bool FakeDeviceMemory::map(Address address, Bytes size) {
    return size <= free_bytes() && memory_.map(address, size);
}

FakeCard::FakeCard(const Program& program, Rank rank)
    : memory(program.machine.total_memory),
      captures_(capturable(program)),
      total_(program.machine.total_memory),
      events_(program.events.size()),
      mismatches_(program.ops.size()),
      rank_(std::move(rank)) {}

void FakeCard::enter_thread() {
    threads_.emplace(std::this_thread::get_id(),
                     ThreadId{static_cast<std::uint32_t>(threads_.size())});
}

Captures& FakeCard::captures() {
    captures_.switch_thread(threads_[std::this_thread::get_id()]);
    return captures_;
}

CardFacts FakeCard::facts() const {
    CardFacts facts;
    facts.name = "Fake card";
    facts.multiprocessors = 1;
    facts.total_memory = total_;
    facts.driver = "1.2.3";
    facts.driver_cuda = 13010;
    facts.runtime_cuda = 13000;
    facts.other_processes = 0;
    return facts;
}

void FakeCard::put(StreamId stream, NodeKind kind, std::function<void()> call) {
    refusing([&] {
        if (const auto capture = captures().capture_of(stream)) {
            GraphNode node;
            node.kind = kind;
            captures().add(stream, node);
            recorded[*capture].push_back(std::move(call));
        } else {
            captures().add_outside(stream);
            streams.work(stream, std::move(call));
        }
    });
}

void FakeCard::do_kernel(const KernelWork& work) {
    for (const Stamped& read : work.reads) {
        for (const std::uint64_t place : stamped_places(read)) {
            const auto found = words_.find(place);
            mismatches_[work.op] += found == words_.end() || found->second != read.word ? 1U : 0U;
        }
    }
    for (const Stamped& write : work.writes) {
        for (const std::uint64_t place : stamped_places(write)) {
            words_[place] = write.word;
        }
    }
}

void FakeCard::launch(StreamId stream, const KernelWork& work) {
    put(stream, NodeKind::kKernel, [this, work] { do_kernel(work); });
}

void FakeCard::fill(StreamId stream, Address address, Bytes size) {
    put(stream, NodeKind::kMemset, [this, address, size] {
        for (const std::uint64_t place : stamped_places({address, size, 0})) {
            words_[place] = 0;
        }
    });
}

void FakeCard::copy(StreamId stream, const CopyWork& work) {
    put(stream, NodeKind::kMemcpy, [this, work] {
        if (!work.to) {
            return;
        }
        const std::vector<std::uint64_t> to = stamped_places({*work.to, work.size, 0});
        for (const std::uint64_t place : to) {
            words_[place] =
                work.from ? words_[work.from->value + (place - work.to->value)] : std::uint64_t{0};
        }
    });
}

void FakeCard::host_function(StreamId stream, Duration) {
    put(stream, NodeKind::kHost, [] {});
}

void FakeCard::record(EventName name, StreamId stream) {
    refusing([&] {
        if (auto captured = captures().record(stream)) {
            events_.at(index_of(name)) = Event{EventId{}, std::move(captured)};
        } else {
            events_.at(index_of(name)) = Event{streams.record(stream), std::nullopt};
        }
    });
}

void FakeCard::wait(StreamId stream, EventName name) {
    if (const auto& event = events_.at(index_of(name))) {
        refusing([&] { captures().wait(stream, event->captured); });
        if (!event->captured) {
            streams.wait(stream, event->event);
        }
    }
}

void FakeCard::synchronize(EventName name) {
    const auto& event = events_.at(index_of(name));
    refusing([&] { captures().synchronize_event(event ? event->captured : std::nullopt); });
    if (event) {
        streams.synchronize(event->event);
    }
}

void FakeCard::query(EventName name) {
    const auto& event = events_.at(index_of(name));
    refusing([&] { captures().query_event(event ? event->captured : std::nullopt); });
}

void FakeCard::synchronize(StreamId stream) {
    refusing([&] { captures().synchronize(stream); });
    streams.synchronize(streams.record(stream));
}

void FakeCard::synchronize_device() {
    refusing([&] { captures().call(CudaCall::kDeviceSynchronize); });
    streams.synchronize_device();
}

bool FakeCard::add_library_memory(const std::string& name, Bytes size, std::optional<StreamId>) {
    const bool is_taken = memory.take(size);
    if (is_taken) {
        libraries_.emplace(name, size);
    }
    return is_taken;
}

bool FakeCard::remove_library_memory(const std::string& name) {
    const auto [first, end] = libraries_.equal_range(name);
    for (auto at = first; at != end; ++at) {
        memory.give_back(at->second);
    }
    return libraries_.erase(name) > 0;
}

Duration FakeCard::between(TimeMark begin, TimeMark end) {
    return std::chrono::microseconds(index_of(end) - index_of(begin));
}

FakeMemory::FakeMemory(const Program& program, FakeCard& card)
    : card_(card),
      memory_(card.memory, card.captures()),
      allocator_(modelled_settings(program.machine.conf, {"machine"}),
                 program.machine.total_memory,
                 Ports{memory_, card.streams, card.captures()}) {
    able.no_caching = false;
    able.async_settings = false;
    for (const StreamEntry& stream : program.streams) {
        allocator_.add_stream(stream.handle);
    }
}

Taken FakeMemory::malloc(Bytes size, StreamId stream, ThreadId thread) {
    return refusing([&] {
        card_.captures().require_unbroken(stream);
        memory_.ask_for(stream);
        return taken(allocator_.malloc(size, stream, thread), size);
    });
}

void FakeMemory::free(const Memory& memory) {
    refusing([&] { allocator_.free(block_of(memory)); });
}

void FakeMemory::record_stream(const Memory& memory, StreamId stream) {
    allocator_.record_stream(block_of(memory), stream);
}

void FakeMemory::empty_cache() {
    refusing([&] { allocator_.empty_cache(); });
}

PoolId FakeMemory::create_pool(bool use_on_oom, bool no_split) {
    const PoolId id = make_pool_handle();
    allocator_.create_pool(id, use_on_oom, no_split);
    return id;
}

void FakeMemory::destroy_pool(PoolId pool) {
    refusing([&] { allocator_.destroy_pool(pool); });
}

void FakeMemory::enter_pool(PoolId pool, ThreadId thread) {
    refusing([&] { allocator_.begin_use_mem_pool(pool, thread); });
}

void FakeMemory::leave_pool(PoolId pool) {
    allocator_.end_routing(pool);
    allocator_.give_up_pool(pool);
}

void FakeMemory::save_pool(PoolId pool, const std::string& name) {
    saved_.insert_or_assign(name, allocator_.save_pool(pool));
}

std::vector<std::optional<Memory>> FakeMemory::restore_pool(const std::string& name,
                                                            const std::vector<Memory>& live) {
    return gpu::restore_pool(allocator_, saved_.at(name), live);
}

PoolId FakeMemory::begin_capture(GraphId id,
                                 StreamId stream,
                                 std::optional<PoolId> given,
                                 CaptureMode mode) {
    constexpr Bytes kGeneratorTensor{8};
    for (int i = 0; graphs_.empty() && i < 2; ++i) {
        generator_.push_back(std::get<Memory>(malloc(kGeneratorTensor, stream, kMainThread)));
    }
    const PoolId pool = given ? *given : PoolId{next_graph_++, 0};
    const CaptureId capture{next_capture_++};
    graphs_.insert_or_assign(id, Graph{stream, pool, capture, false});
    return refusing([&] {
        allocator_.begin_capture(pool, capture);
        card_.captures().begin(capture, stream, mode);
        return pool;
    });
}

CaptureGraph FakeMemory::end_capture(GraphId id, StreamId current) {
    Graph& graph = graphs_.at(id);
    if (current != graph.origin) {
        throw RefusedError("a capture ends only on the stream it began on");
    }
    return refusing([&] {
        CaptureGraph captured = card_.captures().end(graph.origin);
        allocator_.end_routing(graph.pool);
        graph.is_captured = true;
        return captured;
    });
}

void FakeMemory::instantiate(GraphId) {
    refusing([&] { card_.captures().call(CudaCall::kGraphInstantiate); });
}

void FakeMemory::replay(GraphId id, StreamId stream) {
    const Graph& graph = graphs_.at(id);
    if (!graph.is_captured) {
        throw RefusedError("a graph is replayed, and its capture has not ended well");
    }
    refusing([&] {
        card_.captures().add_outside(stream);
        card_.captures().call(CudaCall::kGraphLaunch);
    });
    card_.streams.work(stream, [work = card_.recorded[graph.capture]] {
        for (const std::function<void()>& call : work) {
            call();
        }
    });
}

void FakeMemory::destroy_graph(GraphId id) {
    const Graph graph = graphs_.at(id);
    graphs_.erase(id);
    if (graph.is_captured) {
        allocator_.give_up_pool(graph.pool);
    }
    for (const Memory& memory :
         graphs_.empty() ? std::exchange(generator_, {}) : decltype(generator_){}) {
        free(memory);
    }
}

}  // namespace highwater::gpu
