#include "gpu/native/real_ports.hpp"

#include <algorithm>
#include <set>

#include <dlfcn.h>
#include <fmt/format.h>

#include "gpu/card/cuda_call.hpp"
#include "gpu/card/driver_call.hpp"

namespace highwater::gpu {
namespace {

constexpr Bytes kPage{2ULL << 20U};

/// cudaMalloc and cudaFree in a capture whose own stream asks.
class ModeOf {
  public:
    explicit ModeOf(bool relaxed) : relaxed_(relaxed) { exchange(); }
    ~ModeOf() { exchange(); }
    ModeOf(const ModeOf&) = delete;
    ModeOf& operator=(const ModeOf&) = delete;

  private:
    void exchange() {
        if (relaxed_) {
            static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_));
        }
    }
    bool relaxed_;
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

RealMemory::RealMemory(CudaCard& card) : card_(card) {}

std::optional<Address> RealMemory::allocate(Bytes size) {
    const ModeOf mode(card_.is_capturing(current_));
    void* made = nullptr;
    const cudaError_t status = cudaMalloc(&made, size.count);
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        return std::nullopt;
    }
    cuda_call(status, "cudaMalloc");
    return Address{reinterpret_cast<std::uint64_t>(made)};
}

void RealMemory::free(Address address, Bytes) {
    cuda_call(cudaFree(reinterpret_cast<void*>(address.value)), "cudaFree");
}

std::optional<Address> RealMemory::reserve(Bytes size) {
    CUdeviceptr base = 0;
    const CUresult status = driver_function<decltype(&cuMemAddressReserve)>("cuMemAddressReserve")(
        &base, size.count, 0, 0, 0);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
        return std::nullopt;
    }
    driver_call(status, "cuMemAddressReserve");
    return Address{base};
}

void RealMemory::release(Address address, Bytes size) {
    driver_call(
        driver_function<decltype(&cuMemAddressFree)>("cuMemAddressFree")(address.value, size.count),
        "cuMemAddressFree");
}

// A handle a page: pages are given back one by one.
bool RealMemory::map(Address address, Bytes size) {
    const CUmemAllocationProp properties = page_properties(card_.device());
    const Address end = address + size;
    for (Address at = address; at < end; at = at + kPage) {
        CUmemGenericAllocationHandle page = 0;
        const CUresult status = driver_function<decltype(&cuMemCreate)>("cuMemCreate")(
            &page, kPage.count, &properties, 0);
        if (status == CUDA_ERROR_OUT_OF_MEMORY) {
            unmap(address, at - address);
            return false;
        }
        driver_call(status, "cuMemCreate");
        driver_call(
            driver_function<decltype(&cuMemMap)>("cuMemMap")(at.value, kPage.count, 0, page, 0),
            "cuMemMap");
        pages_.emplace(at, page);
    }
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    driver_call(driver_function<decltype(&cuMemSetAccess)>("cuMemSetAccess")(
                    address.value, size.count, &access, 1),
                "cuMemSetAccess");
    return true;
}

void RealMemory::unmap(Address address, Bytes size) {
    const auto unmap_page = driver_function<decltype(&cuMemUnmap)>("cuMemUnmap");
    const auto release_page = driver_function<decltype(&cuMemRelease)>("cuMemRelease");
    const Address end = address + size;
    for (Address at = address; at < end; at = at + kPage) {
        driver_call(unmap_page(at.value, kPage.count), "cuMemUnmap");
        driver_call(release_page(pages_.at(at)), "cuMemRelease");
        pages_.erase(at);
    }
}

EventId RealEvents::record(StreamId stream) {
    cuda_call(cudaEventCreateWithFlags(&events_.emplace_back(), cudaEventDisableTiming),
              "cudaEventCreateWithFlags");
    cuda_call(cudaEventRecord(events_.back(), card_.stream(stream)), "cudaEventRecord");
    return EventId{events_.size() - 1};
}

bool RealEvents::completed(EventId event) {
    const cudaError_t status = cudaEventQuery(events_.at(index_of(event)));
    if (status == cudaErrorNotReady) {
        static_cast<void>(cudaGetLastError());
        return false;
    }
    cuda_call(status, "cudaEventQuery");
    return true;
}

void RealEvents::synchronize(EventId event) {
    cuda_call(cudaEventSynchronize(events_.at(index_of(event))), "cudaEventSynchronize");
}

std::optional<CaptureId> RealCaptures::capture_of(StreamId stream) const {
    const CaptureInfo info = capture_info(card_.stream(stream));
    if (info.status == cudaStreamCaptureStatusInvalidated) {
        cuda_call(cudaErrorStreamCaptureInvalidated, "cudaStreamGetCaptureInfo");
    }
    const auto found = numbers_.find(info.number);
    return info.status == cudaStreamCaptureStatusActive && found != numbers_.end()
               ? std::optional(found->second)
               : std::nullopt;
}

NodeId RealCaptures::id_of(cudaGraphNode_t node) const {
    return nodes_.emplace(node, NodeId{nodes_.size()}).first->second;
}

std::vector<NodeId> RealCaptures::terminals(StreamId stream) const {
    const CaptureInfo info = capture_info(card_.stream(stream));
    std::vector<NodeId> terminals;
    for (std::size_t i = 0; i < info.count; ++i) {
        terminals.push_back(id_of(info.dependencies[i]));
    }
    return terminals;
}

bool RealCaptures::all_reached(const std::vector<NodeId>& nodes, StreamId stream) const {
    const CaptureInfo info = capture_info(card_.stream(stream));
    std::vector<cudaGraphNode_t> open(info.dependencies, info.dependencies + info.count);
    std::set<cudaGraphNode_t> reached(open.begin(), open.end());
    while (!open.empty()) {
        cudaGraphNode_t const node = open.back();
        open.pop_back();
        std::size_t count = 0;
#if CUDART_VERSION >= 13000
        cuda_call(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count),
                  "cudaGraphNodeGetDependencies");
        std::vector<cudaGraphNode_t> before(count);
        std::vector<cudaGraphEdgeData> carried(count);
        cuda_call(cudaGraphNodeGetDependencies(node, before.data(), carried.data(), &count),
                  "cudaGraphNodeGetDependencies");
#else
        cuda_call(cudaGraphNodeGetDependencies(node, nullptr, &count),
                  "cudaGraphNodeGetDependencies");
        std::vector<cudaGraphNode_t> before(count);
        cuda_call(cudaGraphNodeGetDependencies(node, before.data(), &count),
                  "cudaGraphNodeGetDependencies");
#endif
        for (cudaGraphNode_t const each : before) {
            if (reached.insert(each).second) {
                open.push_back(each);
            }
        }
    }
    std::set<NodeId> ids;
    for (cudaGraphNode_t const node : reached) {
        ids.insert(id_of(node));
    }
    return std::ranges::all_of(nodes, [&](NodeId node) { return ids.contains(node); });
}

}  // namespace highwater::gpu
