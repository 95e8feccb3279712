#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/card.hpp"

namespace highwater::gpu {

/// What is timed. `n` is the argument of the probe. Times of the host are of one call, the median
/// of several; times of the card are of all the work, for a slope to be taken.
enum class Timed {
    // The host's.
    kLaunch,            // cudaLaunchKernel into a busy stream
    kLaunchIdle,        // into an idle one
    kLaunchSeen,        // from the end of the call until the kernel's first store is seen
    kRecordEvent,       // cudaEventRecord
    kWaitEvent,         // cudaStreamWaitEvent
    kQueryEvent,        // cudaEventQuery
    kSynchronize,       // cudaStreamSynchronize, nothing to wait for
    kMalloc,            // cudaMalloc of n bytes
    kFree,              // cudaFree of n bytes
    kFreeBehindWork,    // cudaFree while another stream has n nanoseconds of work
    kMallocBehindWork,  // cudaMalloc likewise
    kMap,               // create, map and allow access to a page of n bytes
    kUnmap,             // unmap and release it
    kReserve,           // reserve n bytes of addresses
    kCapture,           // begin and end a capture of one kernel
    kCaptureNode,       // cudaLaunchKernel into a capture, n of them: one
    kInstantiate,       // a chain of n kernels
    kInstantiateJoins,  // n layers of two kernels that meet in one
    kGraphLaunch,       // a chain of n kernels
    // The card's.
    kClockStep,        // the least step of the clock that kernels spin by; of itself, not of work
    kStreamChain,      // n kernels of `kSpin` in a stream
    kStreamHops,       // the same, each in the other one of two streams, behind an event
    kGraphChain,       // n kernels of `kSpin` in a graph
    kGraphJoins,       // n layers of two kernels of `kSpin` that meet in a third
    kEmptyGraphChain,  // n kernels that do nothing, in a graph
    kSmallToDevice,    // n copies of 4 bytes
    kSmallToHost,
    kSmallWithin,
    kToDevice,  // one copy of n bytes, memory of the host pinned
    kToHost,
    kWithin,
    kPageableToDevice,  // the same, pageable
    kPageableToHost,
    kAddition,        // a kernel that reads and writes n bytes, on the whole card
    kAdditionOnHalf,  // on half of the blocks
    kTwoAdditions,    // two of those at once, each n bytes
    kHalves,          // n kernels of `kLongSpin`, each on half of the card, each in its stream
    kSmallAtOnce,     // n kernels of `kLongSpin` of one block each, each in its stream
};

constexpr bool is_of_the_card(Timed what) {
    return what >= Timed::kClockStep;
}

/// How long the kernels of chains run, and those whose overlap is looked at.
constexpr Duration kSpin = std::chrono::microseconds(10);
constexpr Duration kLongSpin = std::chrono::milliseconds(3);

/// Layers of `branches` chains of `kernels` that begin at one node and meet in the next, which is
/// where the following layer begins. With one branch, a chain of `layers * kernels`.
struct GraphForm {
    std::uint64_t layers = 1;
    std::uint64_t branches = 1;
    std::uint64_t kernels = 1;

    std::uint64_t joins() const { return branches > 1 ? layers : 0; }
    std::uint64_t nodes() const { return layers * branches * kernels + joins(); }
};

/// Single measurements on one card, in the process that opened it: the driver's memory only grows,
/// so what is asked of it counts from there. Each is of the card alone. Calls throw `RefusedError`
/// where CUDA gives an error, and `NoMeasurement` where this card or its driver lacks the means.
class Probes {
  public:
    virtual ~Probes() = default;

    virtual CardFacts facts() = 0;
    /// Memory of the card in use: with the context, after the first kernel, and after the first one
    /// on each of so many further streams.
    virtual std::vector<Bytes> memory_of_streams(std::size_t streams) = 0;
    /// How much more is in use after each of so many cudaMallocs of that size.
    virtual std::vector<Bytes> memory_of_mallocs(Bytes size, std::size_t count) = 0;
    /// How much more is in use after instantiating each of the graphs, which all stay.
    virtual std::vector<Bytes> memory_of_graphs(const std::vector<GraphForm>& forms) = 0;
    /// How much more is in use after launching a graph that allocates and frees so much.
    virtual Bytes memory_of_nodes(Bytes size) = 0;
    /// How many entries a stream has pending when a further launch makes the host wait.
    virtual std::uint64_t launch_queue() = 0;
    virtual Duration time(Timed what, std::uint64_t n) = 0;
};

/// Opens the card of that number, whose context this makes, through the module in the folder. May
/// throw `NoMeasurement` and `RefusedError`.
using ProbesOpener = std::function<std::unique_ptr<Probes>(const std::string& folder, int device)>;

}  // namespace highwater::gpu
