#include "gpu/card/cuda_card.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "gpu/card/cuda_call.hpp"
#include "gpu/card/kernels.hpp"
#include "gpu/card/management.hpp"

namespace highwater::gpu {
namespace {

constexpr std::size_t kKiB = 1024;

void* pointer(Address address) {
    return reinterpret_cast<void*>(address.value);
}

StampArgument argument_of(const Stamped& stamped) {
    return {stamped.address.value, stamped.size.count, stamped.word};
}

bool is_written(const Stamped& read, const std::vector<Stamped>& writes) {
    return std::ranges::find(writes, read.address, &Stamped::address) != writes.end();
}

// Reads that the kernel itself changes come last: they are looked at once only. What finds no place
// is neither looked at nor stamped.
KernelArguments arguments_of(const KernelWork& work, std::uint32_t* mismatches) {
    KernelArguments arguments{};
    arguments.duration_ns = static_cast<std::uint64_t>(work.duration.count());
    arguments.mismatches = mismatches + work.op;
    const std::size_t writes = std::min(work.writes.size(), kMostStamps);
    const std::size_t most_reads = kMostStamps - writes;
    std::size_t at = 0;
    for (const bool written : {false, true}) {
        for (const Stamped& read : work.reads) {
            if (at < most_reads && is_written(read, work.writes) == written) {
                arguments.stamps[at++] = argument_of(read);
            }
        }
        arguments.held = written ? arguments.held : static_cast<std::uint32_t>(at);
    }
    arguments.reads = static_cast<std::uint32_t>(at);
    arguments.writes = static_cast<std::uint32_t>(writes);
    for (std::size_t i = 0; i < writes; ++i) {
        arguments.stamps[at++] = argument_of(work.writes[i]);
    }
    return arguments;
}

cudaMemcpyKind kind_of(op::CopyKind kind) {
    switch (kind) {
        case op::CopyKind::kHostToDevice:
            return cudaMemcpyHostToDevice;
        case op::CopyKind::kDeviceToHost:
            return cudaMemcpyDeviceToHost;
        case op::CopyKind::kDeviceToDevice:
            break;
    }
    return cudaMemcpyDeviceToDevice;
}

void CUDART_CB spin(void* duration) {
    const auto end = std::chrono::steady_clock::now() + *static_cast<const Duration*>(duration);
    while (std::chrono::steady_clock::now() < end) {
    }
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    cuda_call(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
}

/// While it lives, calls that a capture forbids are taken on this thread.
class RelaxedCapture {
  public:
    RelaxedCapture() { exchange(); }
    ~RelaxedCapture() { exchange(); }
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;

  private:
    void exchange() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

CardNeeds card_needs(const Program& program) {
    CardNeeds needs{program.ops.size(), program.events.size(), 0, {}, {}};
    for (const Op& op : program.ops) {
        needs.holds += std::holds_alternative<op::HoldStream>(op) ? 1U : 0U;
        if (const auto* copy = std::get_if<op::Copy>(&op)) {
            Bytes& need =
                copy->kind == op::CopyKind::kDeviceToDevice ? needs.device_copy : needs.host_copy;
            if (copy->kind != op::CopyKind::kDeviceToDevice || !copy->from || !copy->to) {
                need = std::max(need, copy->size);
            }
            const bool lacks_device = (copy->kind == op::CopyKind::kHostToDevice && !copy->to) ||
                                      (copy->kind == op::CopyKind::kDeviceToHost && !copy->from);
            needs.device_copy =
                lacks_device ? std::max(needs.device_copy, copy->size) : needs.device_copy;
        }
    }
    return needs;
}

CardFacts card_facts(int device) {
    constexpr int kLength = 64;
    cudaDeviceProp properties{};
    cuda_call(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    std::array<char, kLength> bus{};
    cuda_call(cudaDeviceGetPCIBusId(bus.data(), kLength, device), "cudaDeviceGetPCIBusId");
    const Management management = ask_management(bus.data());
    CardFacts facts;
    facts.name = properties.name;
    facts.multiprocessors = properties.multiProcessorCount;
    facts.compute_major = properties.major;
    facts.compute_minor = properties.minor;
    facts.driver = management.driver;
    std::size_t free = 0;
    std::size_t total = 0;
    cuda_call(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    facts.total_memory = Bytes{total};
    cuda_call(cudaDriverGetVersion(&facts.driver_cuda), "cudaDriverGetVersion");
    cuda_call(cudaRuntimeGetVersion(&facts.runtime_cuda), "cudaRuntimeGetVersion");
    if (management.processes) {
        // In a container NVML may not even count this process.
        facts.other_processes = std::max<std::size_t>(*management.processes, 1) - 1;
    }
    return facts;
}

std::size_t shared_bytes_of_a_multiprocessor(int device) {
    const auto whole =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    const auto most =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return std::min(most, whole / 2 + kKiB);
}

void require_kernels(cudaError_t status, const CardFacts& facts) {
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        throw NoMeasurement(fmt::format(
            "this program holds no kernels for a GPU of compute capability {}.{}; build it with "
            "-DCMAKE_CUDA_ARCHITECTURES={}{}",
            facts.compute_major,
            facts.compute_minor,
            facts.compute_major,
            facts.compute_minor));
    }
    cuda_call(status, "cudaFuncSetAttribute");
}

CudaCard::CudaCard(const Rank& rank, std::vector<cudaStream_t> streams, const CardNeeds& needs)
    : device_(rank.device),
      streams_(std::move(streams)),
      operations_(needs.operations),
      events_(needs.events),
      nccl_(rank) {
    facts_ = card_facts(device_);
    take_scratch(needs);
    prepare_kernels();
}

CudaCard::~CudaCard() = default;  // The process ends, and with it all that it has of the card.

void CudaCard::prepare_kernels() {
    shared_bytes_ = shared_bytes_of_a_multiprocessor(device_);
    require_kernels(allow_shared_memory(shared_bytes_), facts_);
    // Modules are loaded at their first launch, which a capture would not allow.
    KernelArguments nothing{};
    cuda_call(launch_work(nullptr, {1, shared_bytes_}, nothing), "kernel launch");
    if (holds_ > 0) {
        flags_[0] = 1;
        cuda_call(launch_hold(nullptr, flags_), "kernel launch");
    }
    cuda_call(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    holds_ = 0;
}

void CudaCard::take_scratch(const CardNeeds& needs) {
    const auto host = [](std::size_t bytes) {
        void* made = nullptr;
        cuda_call(cudaHostAlloc(&made, bytes, cudaHostAllocMapped), "cudaHostAlloc");
        std::fill_n(static_cast<unsigned char*>(made), bytes, static_cast<unsigned char>(0));
        return made;
    };
    holds_ = needs.holds;
    mismatches_ = static_cast<std::uint32_t*>(host((operations_ + 1) * sizeof(std::uint32_t)));
    flags_ = static_cast<std::uint32_t*>(host((needs.holds + 1) * sizeof(std::uint32_t)));
    if (needs.host_copy > Bytes{}) {
        host_scratch_ = host(needs.host_copy.count);
    }
    if (needs.device_copy > Bytes{}) {
        cuda_call(cudaMalloc(&device_scratch_, needs.device_copy.count), "cudaMalloc");
    }
}

void CudaCard::enter_thread() {
    cuda_call(cudaSetDevice(device_), "cudaSetDevice");
}

void CudaCard::launch(StreamId on, const KernelWork& work) {
    const double blocks =
        std::round(static_cast<double>(work.width) * static_cast<double>(facts_.multiprocessors));
    const LaunchShape shape{std::max(1U, static_cast<unsigned>(blocks)), shared_bytes_};
    cuda_call(launch_work(stream(on), shape, arguments_of(work, mismatches_)), "kernel launch");
}

void CudaCard::fill(StreamId on, Address address, Bytes size) {
    cuda_call(cudaMemsetAsync(pointer(address), 0, size.count, stream(on)), "cudaMemsetAsync");
}

void* CudaCard::place(const std::optional<Address>& address, bool on_host) const {
    if (on_host) {
        return host_scratch_;
    }
    return address ? pointer(*address) : device_scratch_;
}

void CudaCard::copy(StreamId on, const CopyWork& work) {
    void* const to = place(work.to, work.kind == op::CopyKind::kDeviceToHost);
    const void* const from = place(work.from, work.kind == op::CopyKind::kHostToDevice);
    cuda_call(cudaMemcpyAsync(to, from, work.size.count, kind_of(work.kind), stream(on)),
              "cudaMemcpyAsync");
}

void CudaCard::host_function(StreamId on, Duration duration) {
    Duration& kept = durations_.emplace(duration, duration).first->second;
    cuda_call(cudaLaunchHostFunc(stream(on), spin, &kept), "cudaLaunchHostFunc");
}

void CudaCard::hold(StreamId on) {
    const std::size_t flag = ++holds_;
    held_[on].push_back(flag);
    cuda_call(launch_hold(stream(on), flags_ + flag), "kernel launch");
}

void CudaCard::release(StreamId on) {
    for (const std::size_t flag : std::exchange(held_[on], {})) {
        flags_[flag] = 1;
    }
}

void CudaCard::record(EventName name, StreamId on) {
    cudaEvent_t& event = events_.at(index_of(name));
    if (event == nullptr) {
        cuda_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                  "cudaEventCreateWithFlags");
    }
    cuda_call(cudaEventRecord(event, stream(on)), "cudaEventRecord");
}

void CudaCard::wait(StreamId on, EventName name) {
    if (cudaEvent_t event = events_.at(index_of(name)); event != nullptr) {
        cuda_call(cudaStreamWaitEvent(stream(on), event, 0), "cudaStreamWaitEvent");
    }
}

void CudaCard::synchronize(EventName name) {
    if (cudaEvent_t event = events_.at(index_of(name)); event != nullptr) {
        cuda_call(cudaEventSynchronize(event), "cudaEventSynchronize");
    }
}

void CudaCard::query(EventName name) {
    cudaEvent_t event = events_.at(index_of(name));
    if (event == nullptr) {
        return;
    }
    const cudaError_t status = cudaEventQuery(event);
    if (status != cudaErrorNotReady) {
        cuda_call(status, "cudaEventQuery");
    }
}

void CudaCard::synchronize(StreamId on) {
    cuda_call(cudaStreamSynchronize(stream(on)), "cudaStreamSynchronize");
}

void CudaCard::synchronize_device() {
    cuda_call(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

bool CudaCard::is_capturing(StreamId on) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cuda_call(cudaStreamIsCapturing(stream(on), &status), "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
}

Bytes CudaCard::free_bytes() {
    const RelaxedCapture relaxed;
    std::size_t free = 0;
    std::size_t total = 0;
    cuda_call(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return Bytes{free};
}

bool CudaCard::add_library_memory(const std::string& name, Bytes size, std::optional<StreamId> on) {
    const RelaxedCapture relaxed;
    LibraryMemory memory{nullptr, on};
    const cudaError_t status = on ? cudaMallocAsync(&memory.address, size.count, stream(*on))
                                  : cudaMalloc(&memory.address, size.count);
    if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        return false;
    }
    cuda_call(status, on ? "cudaMallocAsync" : "cudaMalloc");
    library_memory_.emplace(name, memory);
    return true;
}

bool CudaCard::remove_library_memory(const std::string& name) {
    const RelaxedCapture relaxed;
    const auto [first, end] = library_memory_.equal_range(name);
    for (auto at = first; at != end; ++at) {
        const auto& [address, on] = at->second;
        cuda_call(on ? cudaFreeAsync(address, stream(*on)) : cudaFree(address),
                  on ? "cudaFreeAsync" : "cudaFree");
    }
    const bool had_any = first != end;
    library_memory_.erase(first, end);
    return had_any;
}

void CudaCard::make_communicator(const std::string& name) {
    nccl_.make_communicator(name);
}

bool CudaCard::destroy_communicator(const std::string& name) {
    return nccl_.destroy_communicator(name);
}

void CudaCard::all_reduce(const std::string& communicator,
                          StreamId on,
                          Address address,
                          Bytes size) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    const std::size_t words = (size.count + kWord - 1) / kWord;
    nccl_.all_reduce(communicator, pointer(address), words, stream(on));
}

TimeMark CudaCard::mark(StreamId on) {
    cuda_call(cudaEventCreate(&marks_.emplace_back()), "cudaEventCreate");
    cuda_call(cudaEventRecord(marks_.back(), stream(on)), "cudaEventRecord");
    return TimeMark{marks_.size() - 1};
}

Duration CudaCard::between(TimeMark begin, TimeMark end) {
    constexpr double kNanosecondsPerMillisecond = 1e6;
    float milliseconds = 0;
    cuda_call(
        cudaEventElapsedTime(&milliseconds, marks_.at(index_of(begin)), marks_.at(index_of(end))),
        "cudaEventElapsedTime");
    return Duration{
        static_cast<Duration::rep>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond)};
}

std::vector<std::uint32_t> CudaCard::mismatches() {
    return {mismatches_, mismatches_ + operations_};
}

}  // namespace highwater::gpu
