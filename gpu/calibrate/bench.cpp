#include "gpu/calibrate/bench.hpp"

#include <algorithm>

#include "gpu/calibrate/probe_kernels.hpp"
#include "gpu/card/cuda_call.hpp"
#include "gpu/card/cuda_card.hpp"

namespace highwater::gpu {
namespace {

/// While it lives, the stream is held.
class Held {
  public:
    Held(cudaStream_t stream, volatile std::uint32_t* word, std::uint32_t number)
        : word_(word), number_(number) {
        cuda_call(launch_hold(stream, word, number), "kernel launch");
    }
    ~Held() { *word_ = number_; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    volatile std::uint32_t* word_;
    std::uint32_t number_;
};

}  // namespace

Duration host_time_of(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - begin);
}

Duration median_time(std::size_t count, const std::function<Duration()>& measure) {
    std::vector<Duration> times;
    for (std::size_t i = 0; i < count; ++i) {
        times.push_back(measure());
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

Bench::Bench(int device) : device_(device), facts_(card_facts(device)) {
    constexpr std::size_t kWords = 16;
    void* words = nullptr;
    cuda_call(cudaHostAlloc(&words, kWords * sizeof(std::uint32_t), cudaHostAllocMapped),
              "cudaHostAlloc");
    std::fill_n(static_cast<std::uint32_t*>(words), kWords, 0U);
    words_ = static_cast<volatile std::uint32_t*>(words);
    shared_bytes_ = shared_bytes_of_a_multiprocessor(device);
    prepare_kernels();
    for (cudaEvent_t& mark : marks_ = std::vector<cudaEvent_t>(2)) {
        cuda_call(cudaEventCreate(&mark), "cudaEventCreate");
    }
}

// A kernel's first launch loads it, which may have to wait for what is running: a stream that is
// held would never end.
void Bench::prepare_kernels() {
    constexpr std::size_t kSome = 4096;
    void* const data = device_memory(Bytes{kSome});
    require_kernels(allow_spin_shared_memory(shared_bytes_), facts_);
    cuda_call(launch_nothing(stream()), "kernel launch");
    cuda_call(launch_spin(stream(), blocks(), shared_bytes_, 1), "kernel launch");
    cuda_call(launch_hold(stream(), words_, 0), "kernel launch");
    cuda_call(launch_store(stream(), word(), 0), "kernel launch");
    cuda_call(launch_addition(stream(), 1, data, kSome), "kernel launch");
    cuda_call(launch_clock_step(stream(), word()), "kernel launch");
    synchronize();
}

cudaStream_t Bench::stream(std::size_t i) {
    while (streams_.size() <= i) {
        cuda_call(cudaStreamCreateWithFlags(&streams_.emplace_back(), cudaStreamNonBlocking),
                  "cudaStreamCreateWithFlags");
    }
    return streams_[i];
}

cudaEvent_t Bench::event(std::size_t i) {
    while (events_.size() <= i) {
        cuda_call(cudaEventCreateWithFlags(&events_.emplace_back(), cudaEventDisableTiming),
                  "cudaEventCreateWithFlags");
    }
    return events_[i];
}

void* Bench::grown(Buffer& buffer, Bytes size) {
    if (buffer.size < size) {
        cuda_call(cudaFree(buffer.memory), "cudaFree");
        buffer = {};
        cuda_call(cudaMalloc(&buffer.memory, size.count), "cudaMalloc");
        buffer.size = size;
    }
    return buffer.memory;
}

void* Bench::device_memory(Bytes size) {
    return grown(first_, size);
}

void* Bench::other_device_memory(Bytes size) {
    return grown(second_, size);
}

void* Bench::pinned_memory(Bytes size) {
    if (pinned_.size < size) {
        cuda_call(cudaFreeHost(pinned_.memory), "cudaFreeHost");
        pinned_ = {};
        cuda_call(cudaHostAlloc(&pinned_.memory, size.count, cudaHostAllocDefault),
                  "cudaHostAlloc");
        pinned_.size = size;
    }
    return pinned_.memory;
}

void Bench::synchronize() const {
    cuda_call(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void Bench::occupy(std::size_t i, Duration time) {
    cuda_call(launch_spin(stream(i), 1, 0, static_cast<std::uint64_t>(time.count())),
              "kernel launch");
}

Duration Bench::once_on_card(const std::function<void(cudaStream_t)>& enqueue) {
    constexpr double kNanosecondsPerMillisecond = 1e6;
    {
        const Held held(stream(), words_, ++holds_);
        cuda_call(cudaEventRecord(marks_[0], stream()), "cudaEventRecord");
        enqueue(stream());
        cuda_call(cudaEventRecord(marks_[1], stream()), "cudaEventRecord");
    }
    cuda_call(cudaEventSynchronize(marks_[1]), "cudaEventSynchronize");
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, marks_[0], marks_[1]), "cudaEventElapsedTime");
    return Duration{
        static_cast<Duration::rep>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond)};
}

Duration Bench::on_card(const std::function<void(cudaStream_t)>& enqueue) {
    constexpr std::size_t kTimes = 7;
    once_on_card(enqueue);
    return median_time(kTimes, [&] { return once_on_card(enqueue); });
}

}  // namespace highwater::gpu
