#include "gpu/native/native_memory.hpp"

#include <utility>

#include "gpu/allocator_calls.hpp"
#include "gpu/backend_module.hpp"
#include "sim/engine/modelled_settings.hpp"

namespace highwater::gpu {
namespace {

constexpr Bytes kGeneratorTensorSize{8};

}  // namespace

NativeMemory::NativeMemory(const Program& program, CudaCard& card)
    : memory_(card),
      events_(card),
      captures_(card),
      graphs_(card),
      allocator_(modelled_settings(program.machine.conf, {"machine"}),
                 card.facts().total_memory,
                 Ports{memory_, events_, captures_}) {
    for (const StreamEntry& stream : program.streams) {
        allocator_.add_stream(stream.handle);
    }
}

Abilities NativeMemory::abilities() const {
    Abilities abilities;
    abilities.no_caching = false;
    abilities.async_settings = false;
    return abilities;
}

Taken NativeMemory::malloc(Bytes size, StreamId stream, ThreadId thread) {
    return refusing([&] {
        memory_.ask_for(stream);
        return taken(allocator_.malloc(size, stream, thread), size);
    });
}

void NativeMemory::free(const Memory& memory) {
    refusing([&] { allocator_.free(block_of(memory)); });
}

void NativeMemory::record_stream(const Memory& memory, StreamId stream) {
    allocator_.record_stream(block_of(memory), stream);
}

void NativeMemory::empty_cache() {
    refusing([&] { allocator_.empty_cache(); });
}

void NativeMemory::apply_settings(const std::string& conf) {
    allocator_.apply_settings(conf);
}

void NativeMemory::set_memory_fraction(double fraction) {
    allocator_.set_memory_fraction(fraction);
}

PoolId NativeMemory::create_pool(bool use_on_oom, bool no_split) {
    const PoolId id = make_pool_handle();
    refusing([&] { allocator_.create_pool(id, use_on_oom, no_split); });
    return id;
}

void NativeMemory::destroy_pool(PoolId pool) {
    refusing([&] { allocator_.destroy_pool(pool); });
}

void NativeMemory::enter_pool(PoolId pool, ThreadId thread) {
    refusing([&] { allocator_.begin_use_mem_pool(pool, thread); });
}

void NativeMemory::leave_pool(PoolId pool) {
    refusing([&] {
        allocator_.end_routing(pool);
        allocator_.give_up_pool(pool);
    });
}

void NativeMemory::save_pool(PoolId pool, const std::string& name) {
    refusing([&] { saved_.insert_or_assign(name, allocator_.save_pool(pool)); });
}

std::vector<std::optional<Memory>> NativeMemory::restore_pool(const std::string& name,
                                                              const std::vector<Memory>& live) {
    return refusing([&] { return gpu::restore_pool(allocator_, saved_.at(name), live); });
}

void NativeMemory::make_generator_state(StreamId stream) {
    if (graphs_alive_++ > 0) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const Taken made = malloc(kGeneratorTensorSize, stream, kMainThread);
        if (const auto* none = std::get_if<NoMemory>(&made)) {
            drop_generator_state();
            throw RefusedError(none->message, static_cast<int>(cudaErrorMemoryAllocation));
        }
        generator_state_.push_back(block_of(std::get<Memory>(made)));
    }
}

void NativeMemory::drop_generator_state() {
    if (--graphs_alive_ > 0) {
        return;
    }
    for (const BlockId block : std::exchange(generator_state_, {})) {
        allocator_.free(block);
    }
}

PoolId NativeMemory::begin_capture(GraphId graph,
                                   StreamId stream,
                                   std::optional<PoolId> given,
                                   CaptureMode mode) {
    return refusing([&] {
        make_generator_state(stream);
        graphs_.require_capturable(stream);
        const PoolId pool = given ? *given : PoolId{next_graph_++, 0};
        const CaptureId capture{next_capture_++};
        captured_.insert_or_assign(graph, Captured{pool, false});
        allocator_.begin_capture(pool, capture);
        captures_.began(capture, graphs_.begin(graph, stream, mode));
        return pool;
    });
}

// What a failed end leaves: the pool stays in use, and its routing stays for ever.
CaptureGraph NativeMemory::end_capture(GraphId graph, StreamId current) {
    return refusing([&] {
        CaptureGraph captured = graphs_.end(graph, current);
        allocator_.end_routing(captured_.at(graph).pool);
        captured_.at(graph).has_ended = true;
        return captured;
    });
}

void NativeMemory::destroy_graph(GraphId graph) {
    refusing([&] {
        if (const auto found = captured_.find(graph); found != captured_.end()) {
            if (found->second.has_ended) {
                allocator_.give_up_pool(found->second.pool);
            }
            captured_.erase(found);
        }
        graphs_.destroy(graph);
        drop_generator_state();
    });
}

namespace {

class NativeBackend final : public Backend {
  public:
    NativeBackend(const Program& program, const Rank& rank)
        : card_(rank, make_streams(program.streams), card_needs(program)),
          memory_(program, card_) {}
    Card& card() override { return card_; }
    MemoryBackend& memory() override { return memory_; }

  private:
    CudaCard card_;
    NativeMemory memory_;
};

}  // namespace

extern "C" Backend* highwater_gpu_open(const Program& program, const Rank& rank) {
    open_device(rank);
    return new NativeBackend(program, rank);
}

}  // namespace highwater::gpu
