#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

#include "gpu/card.hpp"

namespace highwater::gpu {

/// What timings on a card need: streams, kernels that are loaded, a stream held meanwhile. Calls
/// throw `RefusedError`. The process has this for as long as it lives.
class Bench {
  public:
    explicit Bench(int device);

    const CardFacts& facts() const { return facts_; }
    int device() const { return device_; }
    /// A block to each multiprocessor.
    unsigned blocks() const { return static_cast<unsigned>(facts_.multiprocessors); }
    /// So much shared memory that a block has a multiprocessor to itself.
    std::size_t whole_multiprocessor() const { return shared_bytes_; }

    /// Streams that do not wait for the default one, made as they are asked for.
    cudaStream_t stream(std::size_t i = 0);
    cudaEvent_t event(std::size_t i = 0);
    /// Memory of the device and of the host, pinned, as much as was last asked for or more.
    void* device_memory(Bytes size);
    void* other_device_memory(Bytes size);
    void* pinned_memory(Bytes size);
    /// A word of the host that kernels reach.
    volatile std::uint32_t* word() const { return words_ + 1; }

    void synchronize() const;
    /// Keeps the stream busy for so long.
    void occupy(std::size_t stream, Duration time);
    /// How long the card takes for what `enqueue` puts into the first stream, which must not wait
    /// for it: it begins when all of it is there. The median of some.
    Duration on_card(const std::function<void(cudaStream_t)>& enqueue);

  private:
    struct Buffer {
        void* memory = nullptr;
        Bytes size;
    };
    void prepare_kernels();
    static void* grown(Buffer& buffer, Bytes size);
    Duration once_on_card(const std::function<void(cudaStream_t)>& enqueue);

    int device_;
    CardFacts facts_;
    std::size_t shared_bytes_ = 0;
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> events_;
    std::vector<cudaEvent_t> marks_;
    volatile std::uint32_t* words_ = nullptr;
    std::uint32_t holds_ = 0;
    Buffer first_;
    Buffer second_;
    Buffer pinned_;
};

/// The host's time of the call.
Duration host_time_of(const std::function<void()>& call);
/// The median of so many, which there are at least one of.
Duration median_time(std::size_t count, const std::function<Duration()>& measure);

}  // namespace highwater::gpu
