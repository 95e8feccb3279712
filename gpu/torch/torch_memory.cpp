#include "gpu/torch/torch_memory.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <ATen/cuda/CUDAContext.h>
#include <c10/core/AllocatorConfig.h>
#include <torch/version.h>

#include <fmt/format.h>

#include "gpu/card/captured_graph.hpp"
#include "gpu/torch/torch_call.hpp"
#include "sim/engine/modelled_settings.hpp"

namespace highwater::gpu {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;
using c10::CachingDeviceAllocator::TraceEntry;

PoolId pool_id(const c10::MempoolId_t& id) {
    return {id.first, id.second};
}

c10::MempoolId_t pool_id(PoolId id) {
    return {id.first, id.second};
}

Stat stat_of(const c10::CachingAllocator::Stat& stat) {
    const auto count = [](std::int64_t value) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
    };
    return {count(stat.current), count(stat.peak), count(stat.allocated), count(stat.freed)};
}

StatByPool stats_of(const c10::CachingAllocator::StatArray& stats) {
    using c10::CachingAllocator::StatType;
    const auto of = [&](StatType type) { return stat_of(stats[static_cast<std::size_t>(type)]); };
    return {of(StatType::AGGREGATE), of(StatType::SMALL_POOL), of(StatType::LARGE_POOL)};
}

std::optional<TraceEvent::Kind> kind_of(TraceEntry::Action action) {
    using Kind = TraceEvent::Kind;
    switch (action) {
        case TraceEntry::ALLOC:
            return Kind::kAlloc;
        case TraceEntry::FREE_REQUESTED:
            return Kind::kFreeRequested;
        case TraceEntry::FREE_COMPLETED:
            return Kind::kFreeCompleted;
        case TraceEntry::SEGMENT_ALLOC:
            return Kind::kSegmentAlloc;
        case TraceEntry::SEGMENT_FREE:
            return Kind::kSegmentFree;
        case TraceEntry::SEGMENT_MAP:
            return Kind::kSegmentMap;
        case TraceEntry::SEGMENT_UNMAP:
            return Kind::kSegmentUnmap;
        case TraceEntry::OOM:
            return Kind::kOom;
        default:
            return std::nullopt;
    }
}

std::vector<BlockInfo> blocks_of(const c10::CachingDeviceAllocator::SegmentInfo& segment) {
    std::vector<BlockInfo> blocks;
    Address at{segment.address};
    for (const auto& block : segment.blocks) {
        const BlockState state = block.allocated ? BlockState::kActiveAllocated
                                 : block.active  ? BlockState::kActivePendingFree
                                                 : BlockState::kInactive;
        blocks.push_back({at, Bytes{block.size}, Bytes{block.requested_size}, state});
        at = at + Bytes{block.size};
    }
    return blocks;
}

cudaStreamCaptureMode mode_of(CaptureMode mode) {
    switch (mode) {
        case CaptureMode::kThreadLocal:
            return cudaStreamCaptureModeThreadLocal;
        case CaptureMode::kRelaxed:
            return cudaStreamCaptureModeRelaxed;
        default:
            return cudaStreamCaptureModeGlobal;
    }
}

}  // namespace

TorchMemory::TorchMemory(const Program& program,
                         int device,
                         std::vector<c10::cuda::CUDAStream> streams)
    : device_(static_cast<c10::DeviceIndex>(device)),
      is_async_(allocator().name() == "cudaMallocAsync"),
      settings_(modelled_settings(program.machine.conf, {"machine"})),
      streams_(std::move(streams)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        stream_ids_.emplace(streams_[i].stream(), StreamId{static_cast<std::uint32_t>(i)});
    }
    total_memory_ = Bytes{allocator().getMemoryInfo(device_).second};
}

std::string TorchMemory::framework() const {
    return fmt::format("PyTorch {}", TORCH_VERSION);
}

void TorchMemory::make_current(StreamId stream) {
    c10::cuda::setCurrentCUDAStream(streams_.at(index_of(stream)));
}

// PyTorch may allocate for streams of its own.
StreamId TorchMemory::stream_of(void* handle) {
    return stream_ids_.emplace(handle, StreamId{static_cast<std::uint32_t>(stream_ids_.size())})
        .first->second;
}

Memory TorchMemory::keep(c10::DataPtr data, Bytes size) {
    std::uint64_t token = data_.size();
    const Address address{reinterpret_cast<std::uint64_t>(data.get())};
    if (vacant_.empty()) {
        data_.push_back(std::move(data));
    } else {
        token = vacant_.back();
        vacant_.pop_back();
        data_[token] = std::move(data);
    }
    return {address, size, token};
}

Taken TorchMemory::malloc(Bytes size, StreamId stream, ThreadId) {
    try {
        return torch_call([&]() -> Taken {
            make_current(stream);
            return keep(allocator().allocate(size.count), size);
        });
    } catch (const c10::OutOfMemoryError& error) {
        return NoMemory{first_line(error.what_without_backtrace())};
    }
}

void TorchMemory::free(const Memory& memory) {
    data_.at(memory.token).clear();
    vacant_.push_back(memory.token);
}

void TorchMemory::record_stream(const Memory& memory, StreamId stream) {
    torch_call(
        [&] { allocator().recordStream(data_.at(memory.token), streams_.at(index_of(stream))); });
}

void TorchMemory::empty_cache() {
    torch_call([&] { allocator().emptyCache(); });
}

void TorchMemory::apply_settings(const std::string& conf) {
    torch_call([&] { c10::CachingAllocator::setAllocatorSettings(conf); });
    highwater::apply_settings(settings_, conf);
}

void TorchMemory::set_memory_fraction(double fraction) {
    torch_call([&] { allocator().setMemoryFraction(fraction, device_); });
}

void TorchMemory::reset_peaks() {
    torch_call([&] { allocator().resetPeakStats(device_); });
}

std::optional<Bytes> TorchMemory::limit() {
    if (is_async_) {
        return std::nullopt;
    }
    const double fraction = allocator().getMemoryFraction(device_);
    if (!(fraction < 1)) {
        return std::nullopt;
    }
    return Bytes{static_cast<std::uint64_t>(fraction * static_cast<double>(total_memory_.count))};
}

MemoryStats TorchMemory::stats() {
    const auto from = torch_call([&] { return allocator().getDeviceStats(device_); });
    const auto count = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    MemoryStats stats;
    stats.allocation = stats_of(from.allocation);
    stats.segment = stats_of(from.segment);
    stats.active = stats_of(from.active);
    stats.inactive_split = stats_of(from.inactive_split);
    stats.allocated_bytes = stats_of(from.allocated_bytes);
    stats.reserved_bytes = stats_of(from.reserved_bytes);
    stats.active_bytes = stats_of(from.active_bytes);
    stats.inactive_split_bytes = stats_of(from.inactive_split_bytes);
    stats.requested_bytes = stats_of(from.requested_bytes);
    stats.oversize_allocations = stat_of(from.oversize_allocations);
    stats.oversize_segments = stat_of(from.oversize_segments);
    stats.num_alloc_retries = count(from.num_alloc_retries);
    stats.num_ooms = count(from.num_ooms);
    stats.num_sync_all_streams = count(from.num_sync_all_streams);
    stats.num_device_alloc = count(from.num_device_alloc);
    stats.num_device_free = count(from.num_device_free);
    return stats;
}

std::vector<SegmentInfo> TorchMemory::segments() {
    if (is_async_) {
        return {};
    }
    std::vector<SegmentInfo> segments;
    const auto from = torch_call([&] { return allocator().snapshot({0, 0}, false); });
    for (const auto& segment : from.segments) {
        if (segment.device == device_) {
            segments.push_back({Address{segment.address},
                                Bytes{segment.total_size},
                                stream_of(segment.stream),
                                segment.is_large ? PoolKind::kLarge : PoolKind::kSmall,
                                pool_id(segment.owner_private_pool_id),
                                segment.is_expandable,
                                blocks_of(segment)});
        }
    }
    std::ranges::sort(segments, {}, &SegmentInfo::address);
    return segments;
}

// A tracker cannot be taken away again.
void TorchMemory::set_trace(TraceSink* sink) {
    sink_ = sink;
    if (sink != nullptr && !is_async_ && !std::exchange(is_tracked_, true)) {
        allocator().attachAllocatorTraceTracker([this](const TraceEntry& entry) { take(entry); });
    }
}

void TorchMemory::take(const TraceEntry& entry) {
    const auto kind = kind_of(entry.action_);
    if (sink_ != nullptr && kind && entry.device_ == device_) {
        sink_->take({*kind,
                     stream_of(entry.stream_),
                     Address{entry.addr_},
                     Bytes{entry.size_},
                     pool_id(entry.mempool_)});
    }
}

PoolId TorchMemory::make_pool_handle() {
    return pool_id(at::cuda::graph_pool_handle());
}

PoolId TorchMemory::create_pool(bool use_on_oom, bool no_split) {
    return torch_call([&] {
        auto pool = std::make_unique<at::cuda::MemPool>(nullptr, true, use_on_oom, no_split);
        const PoolId id = pool_id(pool->id());
        pools_.insert_or_assign(id, std::move(pool));
        return id;
    });
}

void TorchMemory::destroy_pool(PoolId pool) {
    torch_call([&] { pools_.erase(pool); });
}

// As torch.cuda.use_mem_pool: the thread that enters has its allocations from the pool.
void TorchMemory::enter_pool(PoolId pool, ThreadId) {
    torch_call([&] {
        allocator().beginAllocateToPool(
            device_, pool_id(pool), [thread = std::this_thread::get_id()](cudaStream_t) {
                return std::this_thread::get_id() == thread;
            });
    });
}

void TorchMemory::leave_pool(PoolId pool) {
    torch_call([&] {
        allocator().endAllocateToPool(device_, pool_id(pool));
        allocator().releasePool(device_, pool_id(pool));
    });
}

void TorchMemory::save_pool(PoolId pool, const std::string& name) {
    torch_call([&] {
        saved_.insert_or_assign(name,
                                Saved{allocator().getCheckpointState(device_, pool_id(pool))});
    });
}

// As cudagraph trees do: what was freed and is not allocated again has no tensor any more, and what
// is allocated again and has no tensor is freed.
std::vector<std::optional<Memory>> TorchMemory::restore_pool(const std::string& name,
                                                             const std::vector<Memory>& live) {
    return torch_call([&] {
        auto delta = allocator().setCheckpointPoolState(device_, saved_.at(name).state);
        std::map<std::uint64_t, c10::DataPtr> made;
        for (c10::DataPtr& data : delta.dataptrs_allocd) {
            const auto address = reinterpret_cast<std::uint64_t>(data.get());
            made.insert_or_assign(address, std::move(data));
        }
        std::vector<std::optional<Memory>> now(live.begin(), live.end());
        for (std::size_t i = 0; i < live.size(); ++i) {
            const std::uint64_t address = live[i].address.value;
            if (std::ranges::find(delta.ptrs_freed, reinterpret_cast<void*>(address)) ==
                delta.ptrs_freed.end()) {
                continue;
            }
            data_.at(live[i].token).release_context();
            vacant_.push_back(live[i].token);
            auto again = made.extract(address);
            now[i] = again.empty() ? std::nullopt
                                   : std::optional(keep(std::move(again.mapped()), live[i].size));
        }
        return now;
    });
}

TorchMemory::Graph& TorchMemory::graph(GraphId id) {
    return *graphs_.at(id);
}

// The graph is kept so that its shape can be told, and made executable when its time is taken.
PoolId TorchMemory::begin_capture(GraphId id,
                                  StreamId stream,
                                  std::optional<PoolId> pool,
                                  CaptureMode mode) {
    return torch_call([&] {
        make_current(stream);
        auto& made = graphs_[id];
        made = std::make_unique<Graph>(true);
        made->capture_begin(pool ? pool_id(*pool) : c10::MempoolId_t{0, 0}, mode_of(mode));
        return pool_id(made->pool_now());
    });
}

CaptureGraph TorchMemory::end_capture(GraphId id, StreamId current) {
    return torch_call([&] {
        make_current(current);
        graph(id).capture_end();
        return captured_graph(graph(id).raw_cuda_graph());
    });
}

void TorchMemory::instantiate(GraphId id) {
    torch_call([&] { graph(id).instantiate(); });
}

void TorchMemory::replay(GraphId id, StreamId stream) {
    torch_call([&] {
        make_current(stream);
        graph(id).replay();
    });
}

void TorchMemory::destroy_graph(GraphId id) {
    torch_call([&] { graphs_.erase(id); });
}

}  // namespace highwater::gpu
