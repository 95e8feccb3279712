#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "gpu/card.hpp"
#include "gpu/card/nccl.hpp"
#include "gpu/rank.hpp"

namespace highwater::gpu {

/// What a Program needs of a card beside streams.
struct CardNeeds {
    std::size_t operations = 0;
    std::size_t events = 0;
    std::size_t holds = 0;
    /// The largest copy from or to the host, and the largest from or to no tensor on the device.
    Bytes host_copy;
    Bytes device_copy;
};
CardNeeds card_needs(const Program& program);

/// Makes the rank's device current. Throws `NoMeasurement` if there is none, fewer than ranks, or
/// no driver that is new enough.
void open_device(const Rank& rank);

CardFacts card_facts(int device);

/// So much shared memory that no two blocks with it fit into a multiprocessor.
std::size_t shared_bytes_of_a_multiprocessor(int device);

/// Of the first call that needs a kernel: throws `NoMeasurement` if there is none for this GPU.
void require_kernels(cudaError_t status, const CardFacts& facts);

/// Streams as cudaStreamCreate makes them: the first is the default stream.
std::vector<cudaStream_t> make_streams(const std::vector<StreamEntry>& streams);

/// A card through the CUDA runtime. The device is current.
class CudaCard final : public Card {
  public:
    CudaCard(const Rank& rank, std::vector<cudaStream_t> streams, const CardNeeds& needs);
    ~CudaCard() override;
    CudaCard(const CudaCard&) = delete;
    CudaCard& operator=(const CudaCard&) = delete;

    cudaStream_t stream(StreamId id) const { return streams_.at(index_of(id)); }
    const std::vector<cudaStream_t>& streams() const { return streams_; }
    int device() const { return device_; }

    CardFacts facts() const override { return facts_; }
    void enter_thread() override;
    void launch(StreamId stream, const KernelWork& work) override;
    void fill(StreamId stream, Address address, Bytes size) override;
    void copy(StreamId stream, const CopyWork& work) override;
    void host_function(StreamId stream, Duration duration) override;
    void hold(StreamId stream) override;
    void release(StreamId stream) override;
    void record(EventName event, StreamId stream) override;
    void wait(StreamId stream, EventName event) override;
    void synchronize(EventName event) override;
    void query(EventName event) override;
    void synchronize(StreamId stream) override;
    void synchronize_device() override;
    bool is_capturing(StreamId stream) override;
    Bytes free_bytes() override;
    bool add_library_memory(const std::string& name,
                            Bytes size,
                            std::optional<StreamId> stream) override;
    bool remove_library_memory(const std::string& name) override;
    void make_communicator(const std::string& name) override;
    bool destroy_communicator(const std::string& name) override;
    void all_reduce(const std::string& communicator,
                    StreamId stream,
                    Address address,
                    Bytes size) override;
    std::string collective_library() override { return nccl_.version(); }
    TimeMark mark(StreamId stream) override;
    Duration between(TimeMark begin, TimeMark end) override;
    std::vector<std::uint32_t> mismatches() override;

  private:
    struct LibraryMemory {
        void* address = nullptr;
        std::optional<StreamId> stream;
    };
    void prepare_kernels();
    void take_scratch(const CardNeeds& needs);
    void* place(const std::optional<Address>& address, bool on_host) const;

    int device_;
    std::vector<cudaStream_t> streams_;
    CardFacts facts_;
    std::size_t shared_bytes_ = 0;
    /// In memory of the host that kernels reach: the allocator's figures stay free of it.
    std::uint32_t* mismatches_ = nullptr;
    std::size_t operations_;
    volatile std::uint32_t* flags_ = nullptr;
    std::size_t holds_ = 0;
    std::map<StreamId, std::vector<std::size_t>> held_;
    void* host_scratch_ = nullptr;
    void* device_scratch_ = nullptr;
    /// Null until the first record.
    std::vector<cudaEvent_t> events_;
    std::vector<cudaEvent_t> marks_;
    std::multimap<std::string, LibraryMemory> library_memory_;
    Nccl nccl_;
    /// Of host functions: they outlive their launches, which graphs repeat.
    std::map<Duration, Duration> durations_;
};

}  // namespace highwater::gpu
