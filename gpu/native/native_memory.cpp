#include "gpu/native/native_memory.hpp"

#include <utility>

#include "gpu/backend_module.hpp"
#include "sim/allocator/pools.hpp"
#include "sim/allocator/predicted_error.hpp"
#include "sim/engine/modelled_settings.hpp"
#include "sim/engine/run.hpp"

namespace highwater::gpu {
namespace {

constexpr Bytes kGeneratorTensorSize{8};

// What PyTorch would refuse is refused.
template <typename Call>
auto own_call(Call&& call) {
    try {
        return call();
    } catch (const PredictedError& error) {
        throw RefusedError(error.what(),
                           error.cuda_error() ? std::optional(static_cast<int>(*error.cuda_error()))
                                              : std::nullopt);
    }
}

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
    return own_call([&]() -> Taken {
        memory_.ask_for(stream);
        const MallocResult result = allocator_.malloc(size, stream, thread);
        if (const auto* none = std::get_if<OutOfMemory>(&result)) {
            return NoMemory{message_of(*none)};
        }
        const auto& made = std::get<Allocated>(result);
        return Memory{made.address, size, index_of(made.block)};
    });
}

void NativeMemory::free(const Memory& memory) {
    own_call([&] { allocator_.free(BlockId{static_cast<std::uint32_t>(memory.token)}); });
}

void NativeMemory::record_stream(const Memory& memory, StreamId stream) {
    allocator_.record_stream(BlockId{static_cast<std::uint32_t>(memory.token)}, stream);
}

void NativeMemory::empty_cache() {
    own_call([&] { allocator_.empty_cache(); });
}

void NativeMemory::apply_settings(const std::string& conf) {
    allocator_.apply_settings(conf);
}

void NativeMemory::set_memory_fraction(double fraction) {
    allocator_.set_memory_fraction(fraction);
}

PoolId NativeMemory::create_pool(bool use_on_oom, bool no_split) {
    const PoolId id = make_pool_handle();
    own_call([&] { allocator_.create_pool(id, use_on_oom, no_split); });
    return id;
}

void NativeMemory::destroy_pool(PoolId pool) {
    own_call([&] { allocator_.destroy_pool(pool); });
}

void NativeMemory::enter_pool(PoolId pool, ThreadId thread) {
    own_call([&] { allocator_.begin_use_mem_pool(pool, thread); });
}

void NativeMemory::leave_pool(PoolId pool) {
    own_call([&] {
        allocator_.end_routing(pool);
        allocator_.give_up_pool(pool);
    });
}

void NativeMemory::save_pool(PoolId pool, const std::string& name) {
    own_call([&] { saved_.insert_or_assign(name, allocator_.save_pool(pool)); });
}

std::vector<std::optional<Memory>> NativeMemory::restore_pool(const std::string& name,
                                                              const std::vector<Memory>& live) {
    return own_call([&] {
        const PoolState& saved = saved_.at(name);
        std::vector<bool> in_pool;
        for (const Memory& memory : live) {
            const Block& block =
                allocator_.block(BlockId{static_cast<std::uint32_t>(memory.token)});
            in_pool.push_back(allocator::pool_of(allocator_.state(), block).owner == saved.pool);
        }
        std::map<Address, BlockId> allocated = allocator_.restore_pool(saved);
        std::vector<std::optional<Memory>> now(live.begin(), live.end());
        for (std::size_t i = 0; i < live.size(); ++i) {
            if (in_pool[i]) {
                const auto block = allocated.extract(live[i].address);
                now[i] = block.empty()
                             ? std::nullopt
                             : std::optional(
                                   Memory{live[i].address, live[i].size, index_of(block.mapped())});
            }
        }
        for (const auto& [address, block] : allocated) {
            allocator_.free(block);
        }
        return now;
    });
}

void NativeMemory::make_generator_state(StreamId stream) {
    if (graphs_alive_++ > 0) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const Taken taken = malloc(kGeneratorTensorSize, stream, kMainThread);
        if (const auto* none = std::get_if<NoMemory>(&taken)) {
            drop_generator_state();
            throw RefusedError(none->message, static_cast<int>(cudaErrorMemoryAllocation));
        }
        generator_state_.push_back(
            BlockId{static_cast<std::uint32_t>(std::get<Memory>(taken).token)});
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
    return own_call([&] {
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
    return own_call([&] {
        CaptureGraph captured = graphs_.end(graph, current);
        allocator_.end_routing(captured_.at(graph).pool);
        captured_.at(graph).has_ended = true;
        return captured;
    });
}

void NativeMemory::destroy_graph(GraphId graph) {
    own_call([&] {
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
    NativeBackend(const Program& program, int device)
        : card_(device, make_streams(program.streams), card_needs(program)),
          memory_(program, card_) {}
    Card& card() override { return card_; }
    MemoryBackend& memory() override { return memory_; }

  private:
    CudaCard card_;
    NativeMemory memory_;
};

}  // namespace

extern "C" Backend* highwater_gpu_open(const Program& program, int device) {
    open_device(device);
    return new NativeBackend(program, device);
}

}  // namespace highwater::gpu
