#include "sim/engine/any_allocator.hpp"

namespace highwater {

AnyAllocator::AnyAllocator(const AllocatorSettings& settings,
                           Bytes total_memory,
                           const Ports& ports,
                           const AsyncPorts& async_ports,
                           const AsyncSetup& async)
    : native_(settings, total_memory, ports),
      graph_memory_(async.profile, async_ports.device, async_ports.order, async_ports.captures) {
    if (settings.backend == AllocatorBackend::kCudaMallocAsync) {
        async_ = std::make_unique<AsyncAllocator>(
            settings, total_memory, async.unifying_stream, async_ports, async.profile);
    }
}

void AnyAllocator::free(BlockId block) {
    async_ ? async_->free(block) : native_.free(block);
}

void AnyAllocator::record_stream(BlockId block, StreamId stream) {
    async_ ? async_->record_stream(block, stream) : native_.record_stream(block, stream);
}

void AnyAllocator::empty_cache() {
    async_ ? async_->empty_cache() : native_.empty_cache();
}

void AnyAllocator::begin_capture(PoolId pool, CaptureId capture) {
    async_ ? async_->begin_capture(pool, capture) : native_.begin_capture(pool, capture);
}

void AnyAllocator::before_capture_ends(StreamId origin) {
    if (async_) {
        async_->join_free_streams(origin);
    }
}

void AnyAllocator::end_routing(PoolId pool) {
    async_ ? async_->end_routing(pool) : native_.end_routing(pool);
}

void AnyAllocator::give_up_pool(PoolId pool) {
    async_ ? async_->give_up_pool(pool) : native_.give_up_pool(pool);
}

void AnyAllocator::begin_use_mem_pool(PoolId pool, ThreadId thread) {
    async_ ? async_->begin_use_mem_pool(pool) : native_.begin_use_mem_pool(pool, thread);
}

void AnyAllocator::create_pool(PoolId pool, bool use_on_oom, bool no_split) {
    async_ ? async_->create_pool(pool, use_on_oom, no_split)
           : native_.create_pool(pool, use_on_oom, no_split);
}

void AnyAllocator::destroy_pool(PoolId pool) {
    async_ ? async_->destroy_pool(pool) : native_.destroy_pool(pool);
}

bool AnyAllocator::launch(CaptureId graph, StreamId stream) {
    return graph_memory().launch(graph, stream);
}

void AnyAllocator::launched(CaptureId graph, StreamId stream) {
    graph_memory().launched(graph, stream);
}

void AnyAllocator::destroy_graph(CaptureId graph) {
    graph_memory().destroy(graph);
}

void AnyAllocator::synchronized() {
    if (async_) {
        async_->synchronized();
    }
}

void AnyAllocator::apply_settings(std::string_view text) {
    async_ ? async_->apply_settings(text) : native_.apply_settings(text);
}

void AnyAllocator::set_memory_fraction(double fraction) {
    async_ ? async_->set_memory_fraction(fraction) : native_.set_memory_fraction(fraction);
}

std::optional<Bytes> AnyAllocator::limit() const {
    return async_ ? async_->limit() : native_.state().limit;
}

void AnyAllocator::reset_peaks() {
    async_ ? async_->reset_peaks() : native_.reset_peaks();
}

}  // namespace highwater
