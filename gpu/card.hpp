#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/refused_error.hpp"
#include "sim/core/address.hpp"
#include "sim/core/bytes.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/engine/program.hpp"

namespace highwater::gpu {

/// The card and what drives it.
struct CardFacts {
    std::string name;
    /// As cudaDeviceProp has them.
    int multiprocessors = 0;
    int compute_major = 0;
    int compute_minor = 0;
    Bytes total_memory;
    /// "580.159.03"; empty if NVML is not there to be asked.
    std::string driver;
    /// 13000 is CUDA 13.0: the newest that the driver can do, and what the program runs with.
    int driver_cuda = 0;
    int runtime_cuda = 0;
    /// Processes on the card beside this one; none if NVML is not there.
    std::optional<std::size_t> other_processes;
};

/// The words that a tensor holds at every multiple of 512 bytes (see `stamps.hpp`).
struct Stamped {
    Address address;
    Bytes size;
    std::uint64_t word = 0;
};

/// One kernel: it looks at its reads, spins, looks at them again and then stamps its writes.
struct KernelWork {
    Duration duration{};
    /// The share of the multiprocessors, above 0 and at most 1.
    float width = 1;
    std::vector<Stamped> reads;
    std::vector<Stamped> writes;
    /// Index into `Program::ops`: mismatches are counted by it.
    std::size_t op = 0;
};

/// A copy; no address is pinned memory of the harness's own.
struct CopyWork {
    op::CopyKind kind{};
    Bytes size;
    std::optional<Address> from;
    std::optional<Address> to;
};

/// A moment in a stream, for its time.
enum class TimeMark : std::size_t {};

/// Streams, events and work on one card. Streams are those of the Program. Calls throw
/// `RefusedError` where CUDA gives an error.
class Card {
  public:
    virtual ~Card() = default;

    virtual CardFacts facts() const = 0;
    /// A host thread's first call.
    virtual void enter_thread() = 0;

    virtual void launch(StreamId stream, const KernelWork& work) = 0;
    /// cudaMemsetAsync with 0.
    virtual void fill(StreamId stream, Address address, Bytes size) = 0;
    virtual void copy(StreamId stream, const CopyWork& work) = 0;
    virtual void host_function(StreamId stream, Duration duration) = 0;
    /// The stream waits until it is released. Both are outside captures.
    virtual void hold(StreamId stream) = 0;
    virtual void release(StreamId stream) = 0;

    virtual void record(EventName event, StreamId stream) = 0;
    /// These three do nothing for an event that was never recorded.
    virtual void wait(StreamId stream, EventName event) = 0;
    virtual void synchronize(EventName event) = 0;
    virtual void query(EventName event) = 0;
    virtual void synchronize(StreamId stream) = 0;
    virtual void synchronize_device() = 0;
    virtual bool is_capturing(StreamId stream) = 0;

    /// cudaMemGetInfo.
    virtual Bytes free_bytes() = 0;
    /// Memory that is not the allocator's, in place of a library. With a stream as cudaMallocAsync
    /// has it. False if there is none left.
    virtual bool add_library_memory(const std::string& name,
                                    Bytes size,
                                    std::optional<StreamId> stream) = 0;
    /// All that has the name. False if nothing has.
    virtual bool remove_library_memory(const std::string& name) = 0;

    /// A communicator of all ranks of the run. Waits for the others.
    virtual void make_communicator(const std::string& name) = 0;
    /// False if there is none of that name.
    virtual bool destroy_communicator(const std::string& name) = 0;
    /// Every rank has the sum of all ranks' 64-bit words then, those that the memory ends in the
    /// middle of included.
    virtual void all_reduce(const std::string& communicator,
                            StreamId stream,
                            Address address,
                            Bytes size) = 0;
    /// "NCCL 2.28.9"; empty while no communicator was made.
    virtual std::string collective_library() = 0;

    virtual TimeMark mark(StreamId stream) = 0;
    /// Once both are over.
    virtual Duration between(TimeMark begin, TimeMark end) = 0;
    /// How many words were not what a reader expected, by `KernelWork::op`. Once the device is
    /// synchronised.
    virtual std::vector<std::uint32_t> mismatches() = 0;
};

}  // namespace highwater::gpu
