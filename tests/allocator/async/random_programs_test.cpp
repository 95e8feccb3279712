// Random programs: whatever the order of calls, no two live allocations overlap, and memory is
// handed out only where the stream may have it and from pages there are.
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/allocator/async/support.hpp"

namespace highwater {

using namespace literals;

namespace {

#ifdef NDEBUG
constexpr int kSteps = 3000;
#else
constexpr int kSteps = 500;
#endif

constexpr std::uint32_t kStreams = 4;
constexpr std::uint64_t kPercent = 100;
// Full soon, with many pages.
constexpr Bytes kCard = 256_MiB;
constexpr PoolProfile kProfile{.page = 1_MiB};

struct Live {
    Address address;
    Bytes size;
    StreamId stream;
};

bool overlaps(Address a, Bytes a_size, Address b, Bytes b_size) {
    return a < b + b_size && b < a + a_size;
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : random_(seed) {}

    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    StreamId stream() { return StreamId{static_cast<std::uint32_t>(below(kStreams))}; }
    Bytes size() { return Bytes{1 + below(std::uint64_t{1} << (9 + below(18)))}; }
    template <typename T>
    T taken_from(std::vector<T>& all) {
        std::swap(all[below(all.size())], all.back());
        const T one = all.back();
        all.pop_back();
        return one;
    }

  private:
    std::mt19937_64 random_;
};

// Knows which pages there are.
class MappedMemory : public AscendingMemory {
  public:
    using AscendingMemory::AscendingMemory;

    bool map(Address address, Bytes size) override {
        const bool is_mapped = AscendingMemory::map(address, size);
        for (Bytes at; is_mapped && at < size; at += kProfile.page) {
            REQUIRE(pages_.insert(address + at).second);
        }
        return is_mapped;
    }
    void unmap(Address address, Bytes size) override {
        AscendingMemory::unmap(address, size);
        for (Bytes at; at < size; at += kProfile.page) {
            REQUIRE(pages_.erase(address + at) == 1);
        }
    }
    bool has(Address address, Bytes size) const {
        Address at = align_down(address, kProfile.page);
        while (at < address + size && pages_.contains(at)) {
            at = at + kProfile.page;
        }
        return at >= address + size;
    }

  private:
    std::set<Address> pages_;
};

// The streams that must have waited are asked of the order itself, behind the pool's back.
class RandomPool {
  public:
    explicit RandomPool(std::uint64_t seed) : random_(seed) {
        order_.is_idle = seed % 3 == 0;
        pool_.set_release_threshold(seed % 2 == 0 ? 0_B : kCard);
        pool_.set_policies({seed % 5 != 0, seed % 7 != 0, seed % 4 != 0});
    }

    void step() {
        const std::uint64_t kind = random_.below(kPercent);
        if (kind < 50 || live_.empty()) {
            allocate(random_.size(), random_.stream());
        } else if (kind < 90) {
            free(random_.taken_from(live_), random_.stream());
        } else if (kind < 95) {
            order_.wait(random_.stream(), order_.record(random_.stream()));
        } else if (kind < 98) {
            order_.complete_all();
        } else {
            order_.complete_all();
            pool_.synchronized();
        }
        audit();
    }

  private:
    void allocate(Bytes size, StreamId stream) {
        const auto address = pool_.malloc(size, stream);
        if (!address) {
            return;
        }
        REQUIRE(memory_.has(*address, size));
        for (const Live& other : live_) {
            REQUIRE_FALSE(overlaps(*address, size, other.address, other.size));
        }
        for (const auto& [freed, event] : freed_) {
            REQUIRE((!overlaps(*address, size, freed.address, freed.size) ||
                     order_.completed(event) || order_.is_behind(stream, event)));
        }
        live_.push_back({*address, size, stream});
    }

    // As PyTorch does, in a stream that has waited for the allocation's.
    void free(const Live& freed, StreamId stream) {
        order_.wait(stream, order_.record(freed.stream));
        freed_.emplace_back(freed, order_.record(stream));
        pool_.free(freed.address, stream);
    }

    void audit() {
        Bytes used;
        for (const Live& each : live_) {
            used += each.size;
        }
        REQUIRE(pool_.used().current == used);
        REQUIRE(pool_.reserved().current >= used);
        REQUIRE(pool_.reserved().current % kProfile.page == 0_B);
        REQUIRE(memory_.free_bytes() == kCard - pool_.reserved().current);
    }

    Random random_;
    MappedMemory memory_{kCard};
    ManualOrder order_;
    StreamOrderedPool pool_{kProfile, memory_, order_};
    std::vector<Live> live_;
    std::vector<std::pair<Live, EventId>> freed_;
};

class RandomGraph {
  public:
    explicit RandomGraph(std::uint64_t seed) : random_(seed) {
        captures_.captures.begin(kGraph, kOrigin);
        captures_.add_allocation(kOrigin);
        for (std::uint32_t i = 1; i < kStreams; ++i) {
            captures_.join(StreamId{1 + i}, kOrigin);
        }
    }

    void step() {
        const std::uint64_t kind = random_.below(kPercent);
        if (kind < 50 || live_.empty()) {
            allocate(random_.size(), stream());
        } else if (kind < 90) {
            const Live freed = random_.taken_from(live_);
            memory_.free(kGraph, freed.address, freed.stream);
            freed_.emplace_back(freed, captures_.terminals(freed.stream));
        } else {
            captures_.join(stream(), stream());
        }
        REQUIRE(memory_.footprint(kGraph) % kProfile.page == 0_B);
    }

  private:
    static constexpr CaptureId kGraph{1};
    static constexpr StreamId kOrigin{1};

    // The default stream cannot be captured.
    StreamId stream() { return StreamId{1 + static_cast<std::uint32_t>(random_.stream())}; }

    void allocate(Bytes size, StreamId stream) {
        std::vector<bool> reached;
        for (const auto& [freed, nodes] : freed_) {
            reached.push_back(captures_.all_reached(nodes, stream));
        }
        const auto address = memory_.malloc(kGraph, size, stream);
        REQUIRE(address);
        for (const Live& other : live_) {
            REQUIRE_FALSE(overlaps(*address, size, other.address, other.size));
        }
        for (std::size_t i = 0; i < freed_.size(); ++i) {
            const Live& freed = freed_[i].first;
            REQUIRE((reached[i] || !overlaps(*address, size, freed.address, freed.size)));
        }
        live_.push_back({*address, size, stream});
    }

    Random random_;
    AscendingMemory device_{kCard};
    ManualOrder order_;
    RecordedCaptures captures_;
    GraphMemory memory_{kProfile, device_, order_, captures_};
    std::vector<Live> live_;
    std::vector<std::pair<Live, std::vector<NodeId>>> freed_;
};

}  // namespace

TEST_CASE("random programs on a pool", "[async]") {
    const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{13}));
    CAPTURE(seed);
    RandomPool pool(seed);
    for (int i = 0; i < kSteps; ++i) {
        pool.step();
    }
}

TEST_CASE("random captures with allocations and frees", "[async]") {
    const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{7}));
    CAPTURE(seed);
    RandomGraph graph(seed);
    for (int i = 0; i < kSteps / 3; ++i) {
        graph.step();
    }
}

}  // namespace highwater
