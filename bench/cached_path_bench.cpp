// Free+malloc pairs that the cache serves: one stream, random sizes from 512 B to 2 MiB, at a given
// number of live blocks. The real allocator needs 417, 633, 680 and 880 ns a pair at 1, 64, 1,024
// and 16,384 live blocks (measured on the host of an H200, PyTorch 2.11).
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "sim/allocator/allocator.hpp"
#include "sim/allocator/ascending_memory.hpp"
#include "sim/capture/captures.hpp"
#include "sim/engine/held_streams.hpp"

namespace highwater {
namespace {

using namespace literals;

constexpr Bytes kCard = 4096_GiB;
constexpr std::size_t kChoices = std::size_t{1} << 16U;
constexpr std::uint64_t kSmallest = 512;
constexpr std::uint64_t kLargest = std::uint64_t{2} << 20U;

struct Choice {
    std::uint32_t victim;
    Bytes size;
};

std::vector<Choice> choices(std::size_t live) {
    std::mt19937_64 random(live);
    std::vector<Choice> result(kChoices);
    for (Choice& choice : result) {
        choice.victim = static_cast<std::uint32_t>(random() % live);
        choice.size = Bytes{kSmallest + random() % (kLargest - kSmallest + 1)};
    }
    return result;
}

class Process {
  public:
    explicit Process(std::size_t live) : choices_(choices(live)) {
        for (std::size_t i = 0; i < live; ++i) {
            blocks_.push_back(allocate(choices_[i % kChoices].size));
        }
        for (std::size_t i = 0; i < 4 * kChoices; ++i) {
            pair();
        }
    }

    void pair() {
        const Choice& choice = choices_[next_++ % kChoices];
        BlockId& block = blocks_[choice.victim];
        allocator_.free(block);
        block = allocate(choice.size);
    }

    std::uint64_t segments() const { return allocator_.stats().num_device_alloc; }

  private:
    BlockId allocate(Bytes size) {
        return std::get<Allocated>(allocator_.malloc(size, kDefaultStream)).block;
    }

    AscendingMemory memory_{kCard};
    HeldStreams work_;
    Captures captures_;
    Allocator allocator_{AllocatorSettings{}, kCard, Ports{memory_, work_, captures_}};
    std::vector<Choice> choices_;
    std::vector<BlockId> blocks_;
    std::size_t next_ = 0;
};

void free_malloc_pair(benchmark::State& state) {
    Process process(static_cast<std::size_t>(state.range(0)));
    const std::uint64_t before = process.segments();
    for ([[maybe_unused]] auto _ : state) {
        process.pair();
    }
    state.counters["segments"] = static_cast<double>(process.segments() - before);
}
BENCHMARK(free_malloc_pair)->Arg(1)->Arg(64)->Arg(1024)->Arg(16384);

}  // namespace
}  // namespace highwater
