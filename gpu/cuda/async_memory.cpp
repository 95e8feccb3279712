#include "gpu/cuda/async_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend_module.hpp"
#include "gpu/card/cuda_call.hpp"

namespace highwater::gpu {
namespace {

[[noreturn]] void no_pools() {
    throw NoMeasurement("the backend cuda has no memory pools");
}

// What a capture would refuse is allowed as long as this lives: questions change nothing.
class RelaxedCaptures {
  public:
    RelaxedCaptures() { exchange(); }
    ~RelaxedCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    RelaxedCaptures(const RelaxedCaptures&) = delete;
    RelaxedCaptures& operator=(const RelaxedCaptures&) = delete;

  private:
    void exchange() {
        cuda_call(cudaThreadExchangeStreamCaptureMode(&mode_),
                  "cudaThreadExchangeStreamCaptureMode");
    }
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

// As PyTorch with backend:cudaMallocAsync: the pool keeps what it has.
AsyncMemory::AsyncMemory(CudaCard& card) : card_(card), graphs_(card) {
    cuda_call(cudaDeviceGetDefaultMemPool(&pool_, card.device()), "cudaDeviceGetDefaultMemPool");
    std::uint64_t keep_all = UINT64_MAX;
    cuda_call(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all),
              "cudaMemPoolSetAttribute");
    cuda_call(cudaStreamCreateWithFlags(&unifying_stream_, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
}

AsyncMemory::~AsyncMemory() {
    static_cast<void>(cudaStreamDestroy(unifying_stream_));
}

Abilities AsyncMemory::abilities() const {
    Abilities abilities;
    abilities.pools = false;
    abilities.pool_states = false;
    abilities.no_caching = false;
    return abilities;
}

Taken AsyncMemory::malloc(Bytes size, StreamId stream, ThreadId) {
    Pointer pointer{nullptr, size, stream, {}, card_.is_capturing(stream)};
    const cudaError_t status = cudaMallocAsync(&pointer.address, size.count, card_.stream(stream));
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        return NoMemory{fmt::format("cudaMallocAsync: out of memory for {} B", size.count)};
    }
    cuda_call(status, "cudaMallocAsync");
    requested_ += size;
    peak_requested_ = std::max(peak_requested_, requested_);
    const Address address{reinterpret_cast<std::uint64_t>(pointer.address)};
    pointers_.emplace(next_token_, std::move(pointer));
    return Memory{address, size, next_token_++};
}

void AsyncMemory::free(const Memory& memory) {
    const Pointer pointer = pointers_.at(memory.token);
    pointers_.erase(memory.token);
    requested_ -= pointer.size;
    if (captures_ > 0 && !pointer.in_capture) {
        deferred_.push_back(pointer);
        return;
    }
    give_back(pointer);
}

void AsyncMemory::give_back(const Pointer& pointer) {
    cuda_call(cudaFreeAsync(pointer.address, free_stream(pointer)), "cudaFreeAsync");
}

// As PyTorch: what other streams use is freed on a stream that waits for them all, so that the one
// it was made on goes on.
cudaStream_t AsyncMemory::free_stream(const Pointer& pointer) {
    const cudaStream_t own = card_.stream(pointer.stream);
    const cudaStream_t stream = pointer.uses.empty() ? own : unifying_stream_;
    if (!pointer.uses.empty()) {
        join(unifying_stream_, own);
        for (const StreamId use : pointer.uses) {
            join(unifying_stream_, card_.stream(use));
        }
    }
    if (captures_ > 0 && std::ranges::find(free_streams_, stream) == free_streams_.end()) {
        free_streams_.push_back(stream);
    }
    return stream;
}

void AsyncMemory::join(cudaStream_t waiting, cudaStream_t waited_for) {
    cudaEvent_t event = nullptr;
    cuda_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    cuda_call(cudaEventRecord(event, waited_for), "cudaEventRecord");
    cuda_call(cudaStreamWaitEvent(waiting, event, 0), "cudaStreamWaitEvent");
    cuda_call(cudaEventDestroy(event), "cudaEventDestroy");
}

// A capture ends where all its work has joined the stream it began on, frees too.
void AsyncMemory::join_free_streams(cudaStream_t origin) {
    const unsigned long long capture = capture_info(origin).number;
    for (const cudaStream_t stream : free_streams_) {
        const CaptureInfo info = capture_info(stream);
        if (stream != origin && info.status == cudaStreamCaptureStatusActive &&
            info.number == capture) {
            join(origin, stream);
        }
    }
}

void AsyncMemory::record_stream(const Memory& memory, StreamId stream) {
    Pointer& pointer = pointers_.at(memory.token);
    if (stream != pointer.stream && std::ranges::find(pointer.uses, stream) == pointer.uses.end()) {
        pointer.uses.push_back(stream);
    }
}

void AsyncMemory::empty_cache() {
    card_.synchronize_device();
    cuda_call(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
}

void AsyncMemory::apply_settings(const std::string& conf) {
    highwater::apply_settings(settings_, conf);
}

void AsyncMemory::reset_peaks() {
    std::uint64_t zero = 0;
    for (const auto which : {cudaMemPoolAttrUsedMemHigh, cudaMemPoolAttrReservedMemHigh}) {
        cuda_call(cudaMemPoolSetAttribute(pool_, which, &zero), "cudaMemPoolSetAttribute");
    }
    peak_requested_ = requested_;
}

std::uint64_t AsyncMemory::pool_attribute(cudaMemPoolAttr which) const {
    const RelaxedCaptures relaxed;
    std::uint64_t value = 0;
    cuda_call(cudaMemPoolGetAttribute(pool_, which, &value), "cudaMemPoolGetAttribute");
    return value;
}

std::uint64_t AsyncMemory::graph_attribute(cudaGraphMemAttributeType which) const {
    const RelaxedCaptures relaxed;
    std::uint64_t value = 0;
    cuda_call(cudaDeviceGetGraphMemAttribute(card_.device(), which, &value),
              "cudaDeviceGetGraphMemAttribute");
    return value;
}

MemoryStats AsyncMemory::stats() {
    MemoryStats stats;
    stats.allocated_bytes.all.current = pool_attribute(cudaMemPoolAttrUsedMemCurrent);
    stats.allocated_bytes.all.peak = pool_attribute(cudaMemPoolAttrUsedMemHigh);
    stats.reserved_bytes.all.current = pool_attribute(cudaMemPoolAttrReservedMemCurrent);
    stats.reserved_bytes.all.peak = pool_attribute(cudaMemPoolAttrReservedMemHigh);
    stats.active_bytes.all = stats.allocated_bytes.all;
    stats.requested_bytes.all.current = requested_.count;
    stats.requested_bytes.all.peak = peak_requested_.count;
    return stats;
}

std::vector<std::pair<std::string, std::uint64_t>> AsyncMemory::figures() {
    return {{"graph_used_bytes", graph_attribute(cudaGraphMemAttrUsedMemCurrent)},
            {"graph_used_high_bytes", graph_attribute(cudaGraphMemAttrUsedMemHigh)},
            {"graph_reserved_bytes", graph_attribute(cudaGraphMemAttrReservedMemCurrent)},
            {"graph_reserved_high_bytes", graph_attribute(cudaGraphMemAttrReservedMemHigh)}};
}

PoolId AsyncMemory::create_pool(bool, bool) {
    no_pools();
}
void AsyncMemory::destroy_pool(PoolId) {
    no_pools();
}
void AsyncMemory::enter_pool(PoolId, ThreadId) {
    no_pools();
}
void AsyncMemory::leave_pool(PoolId) {
    no_pools();
}
void AsyncMemory::save_pool(PoolId, const std::string&) {
    no_pools();
}
std::vector<std::optional<Memory>> AsyncMemory::restore_pool(const std::string&,
                                                             const std::vector<Memory>&) {
    no_pools();
}

PoolId AsyncMemory::begin_capture(GraphId graph,
                                  StreamId stream,
                                  std::optional<PoolId> pool,
                                  CaptureMode mode) {
    graphs_.require_capturable(stream);
    graphs_.begin(graph, stream, mode);
    ++captures_;
    return pool ? *pool : PoolId{next_graph_++, 0};
}

CaptureGraph AsyncMemory::end_capture(GraphId graph, StreamId current) {
    graphs_.require_origin(graph, current);
    join_free_streams(card_.stream(current));
    captures_ -= captures_ > 0 ? 1 : 0;
    CaptureGraph captured = graphs_.end(graph, current);
    if (captures_ == 0) {
        free_streams_.clear();
        for (const Pointer& pointer : std::exchange(deferred_, {})) {
            give_back(pointer);
        }
    }
    return captured;
}

namespace {

class AsyncBackend final : public Backend {
  public:
    AsyncBackend(const Program& program, const Rank& rank)
        : card_(rank, make_streams(program.streams), card_needs(program)), memory_(card_) {}
    Card& card() override { return card_; }
    MemoryBackend& memory() override { return memory_; }

  private:
    CudaCard card_;
    AsyncMemory memory_;
};

}  // namespace

extern "C" Backend* highwater_gpu_open(const Program& program, const Rank& rank) {
    open_device(rank);
    return new AsyncBackend(program, rank);
}

}  // namespace highwater::gpu
