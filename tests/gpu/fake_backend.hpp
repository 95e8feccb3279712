#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "sim/allocator/allocator.hpp"
#include "sim/allocator/ascending_memory.hpp"
#include "sim/capture/captures.hpp"
#include "sim/engine/guarded_memory.hpp"
#include "tests/gpu/fake_streams.hpp"

namespace highwater::gpu {

/// A card's memory, of which others may take some.
class FakeDeviceMemory final : public DeviceMemory {
  public:
    explicit FakeDeviceMemory(Bytes total) : memory_(total) {}
    bool take(Bytes size);
    void give_back(Bytes size) { taken_ -= size; }

    std::optional<Address> allocate(Bytes size) override;
    void free(Address address, Bytes size) override { memory_.free(address, size); }
    std::optional<Address> reserve(Bytes size) override { return memory_.reserve(size); }
    void release(Address address, Bytes size) override { memory_.release(address, size); }
    bool map(Address address, Bytes size) override;
    void unmap(Address address, Bytes size) override { memory_.unmap(address, size); }
    Bytes free_bytes() const override { return memory_.free_bytes() - taken_; }

  private:
    AscendingMemory memory_;
    Bytes taken_;
};

/// A card in a map: its kernels look at words and write them, in the order of streams.
class FakeCard final : public Card {
  public:
    explicit FakeCard(const Program& program, Rank rank = {});

    CardFacts facts() const override;
    void enter_thread() override;
    void launch(StreamId stream, const KernelWork& work) override;
    void fill(StreamId stream, Address address, Bytes size) override;
    void copy(StreamId stream, const CopyWork& work) override;
    void host_function(StreamId stream, Duration duration) override;
    void hold(StreamId stream) override { streams.hold(stream); }
    void release(StreamId stream) override { streams.release(stream); }
    void record(EventName event, StreamId stream) override;
    void wait(StreamId stream, EventName event) override;
    void synchronize(EventName event) override;
    void query(EventName event) override;
    void synchronize(StreamId stream) override;
    void synchronize_device() override;
    bool is_capturing(StreamId stream) override {
        return captures().capture_of(stream).has_value();
    }
    Bytes free_bytes() override { return memory.free_bytes(); }
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
    std::string collective_library() override { return "Fake collectives 1.0"; }
    TimeMark mark(StreamId) override { return TimeMark{++marks_}; }
    /// Each mark is a microsecond behind the one before.
    Duration between(TimeMark begin, TimeMark end) override;
    std::vector<std::uint32_t> mismatches() override { return mismatches_; }

    /// Work that a replay repeats.
    using Recorded = std::vector<std::function<void()>>;
    std::map<CaptureId, Recorded> recorded;
    FakeStreams streams;
    /// As the calling thread has them.
    Captures& captures();
    FakeDeviceMemory memory;

  private:
    struct Event {
        EventId event{};
        std::optional<CapturedEvent> captured;
    };
    void put(StreamId stream, NodeKind kind, std::function<void()> call);
    void do_kernel(const KernelWork& work);
    void add_up(Address address, Bytes size);

    Captures captures_;
    std::map<std::thread::id, ThreadId> threads_;
    Bytes total_;
    std::map<std::uint64_t, std::uint64_t> words_;
    std::vector<std::optional<Event>> events_;
    std::vector<std::uint32_t> mismatches_;
    std::multimap<std::string, Bytes> libraries_;
    std::size_t marks_ = 0;
    Rank rank_;
    std::set<std::string> communicators_;
    std::size_t meetings_ = 0;
};

/// The simulator's allocator on the fake card.
class FakeMemory final : public MemoryBackend {
  public:
    FakeMemory(const Program& program, FakeCard& card);

    Abilities abilities() const override { return able; }
    std::string framework() const override { return "Fake 1.0"; }
    Taken malloc(Bytes size, StreamId stream, ThreadId thread) override;
    void free(const Memory& memory) override;
    void record_stream(const Memory& memory, StreamId stream) override;
    void empty_cache() override;
    void apply_settings(const std::string& conf) override { allocator_.apply_settings(conf); }
    void set_memory_fraction(double share) override { allocator_.set_memory_fraction(share); }
    void reset_peaks() override { allocator_.reset_peaks(); }
    MemoryStats stats() override { return allocator_.stats(); }
    std::optional<Bytes> limit() override { return allocator_.state().limit; }
    std::vector<std::pair<std::string, std::uint64_t>> figures() override { return {{"fakes", 1}}; }
    std::vector<SegmentInfo> segments() override { return allocator_.snapshot(); }
    const AllocatorSettings& settings() const override { return allocator_.state().settings; }
    void set_trace(TraceSink* sink) override { allocator_.set_trace(sink); }
    PoolId make_pool_handle() override { return {0, next_handle_++}; }
    PoolId create_pool(bool use_on_oom, bool no_split) override;
    void destroy_pool(PoolId pool) override;
    void enter_pool(PoolId pool, ThreadId thread) override;
    void leave_pool(PoolId pool) override;
    void save_pool(PoolId pool, const std::string& name) override;
    std::vector<std::optional<Memory>> restore_pool(const std::string& name,
                                                    const std::vector<Memory>& live) override;
    PoolId begin_capture(GraphId graph,
                         StreamId stream,
                         std::optional<PoolId> pool,
                         CaptureMode mode) override;
    CaptureGraph end_capture(GraphId graph, StreamId current) override;
    void instantiate(GraphId graph) override;
    void replay(GraphId graph, StreamId stream) override;
    void destroy_graph(GraphId graph) override;

    Abilities able;

  private:
    struct Graph {
        StreamId origin{};
        PoolId pool;
        CaptureId capture{};
        bool is_captured = false;
    };

    FakeCard& card_;
    GuardedMemory memory_;
    Allocator allocator_;
    std::uint64_t next_handle_ = 1;
    std::uint64_t next_graph_ = 1;
    std::uint32_t next_capture_ = 0;
    std::map<GraphId, Graph> graphs_;
    std::map<std::string, PoolState> saved_;
    std::vector<Memory> generator_;
};

class FakeBackend final : public Backend {
  public:
    explicit FakeBackend(const Program& program, const Rank& rank = {})
        : fake_card(program, rank), fake_memory(program, fake_card) {}
    Card& card() override { return fake_card; }
    MemoryBackend& memory() override { return fake_memory; }

    FakeCard fake_card;
    FakeMemory fake_memory;
};

}  // namespace highwater::gpu
