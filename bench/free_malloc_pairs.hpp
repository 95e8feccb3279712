#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <variant>
#include <vector>

#include "sim/allocator/allocator.hpp"
#include "sim/allocator/ascending_memory.hpp"
#include "sim/capture/captures.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {

inline constexpr Bytes kCard{std::uint64_t{4} << 40U};
inline constexpr std::size_t kChoices = std::size_t{1} << 16U;
inline constexpr std::uint64_t kSmallest = 512;
inline constexpr std::uint64_t kLargest = std::uint64_t{2} << 20U;

struct Choice {
    std::uint32_t victim;
    Bytes size;
};

inline std::vector<Choice> choices(std::size_t live) {
    std::mt19937_64 random(live);
    std::vector<Choice> result(kChoices);
    for (Choice& choice : result) {
        choice.victim = static_cast<std::uint32_t>(random() % live);
        choice.size = Bytes{kSmallest + random() % (kLargest - kSmallest + 1)};
    }
    return result;
}

/// A process that only ever frees a block and allocates another: one stream, random sizes from 512
/// B to 2 MiB, a given number of live blocks. Warmed up until the cache serves every request.
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
    TimeProfile no_time_;
    Timeline work_{no_time_, 1, 1};
    Captures captures_;
    Allocator allocator_{AllocatorSettings{}, kCard, Ports{memory_, work_, captures_}};
    std::vector<Choice> choices_;
    std::vector<BlockId> blocks_;
    std::size_t next_ = 0;
};

}  // namespace highwater
