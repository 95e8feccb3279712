// The auxiliary-stream demo under backend:cudaMallocAsync, 32 layers of 8 MiB, as it was measured
// on an H200 with PyTorch 2.11: the same operations on the allocator give the four measured rows.
#include <set>

#include "tests/allocator/async/support.hpp"

namespace highwater {

using namespace literals;

namespace {

// The rows, as the program printed them: MiB. `driver_*` are left out where the driver's own memory
// for graphs is in them.
struct Measured {
    bool is_shared;
    bool is_graph;
    std::size_t unique;
    double allocated;
    double reserved_delta;
    double peak_reserved;
    double graph_memory;
};

constexpr std::uint32_t kLayers = 32;
constexpr std::uint32_t kFirstAux = 10;
constexpr Bytes kInput = 8_MiB;
// The reduction's scratch: a float for each of 528 blocks, and a counter.
constexpr Bytes kPartials{528 * 4};
constexpr Bytes kCounter{4};
constexpr StreamId kCapture{9};
constexpr CaptureId kGraph{1};
constexpr Bytes kVector{kLayers * 4};
constexpr Bytes kGeneratorTensor{8};

class Demo {
  public:
    explicit Demo(bool is_shared) : aux_streams_(is_shared ? 1 : kLayers) {
        // The rows were made with two vectors of sums: natively 2 x 512 B beside the input.
        for (const Bytes size : {kInput, kVector, kVector}) {
            process.malloc(size);
        }
        process.wait_stream(kCapture, kDefaultStream);
        forward();
        forward();
        process.synchronize();
        process.allocator.empty_cache();
        process.allocator.reset_peaks();
        temporaries.clear();
    }

    void forward() {
        for (std::uint32_t i = 0; i < kLayers; ++i) {
            const StreamId aux{kFirstAux + i % aux_streams_};
            process.wait_stream(aux, kCapture);
            const Allocated temporary = process.malloc(kInput, aux);
            temporaries.insert(temporary.address.value);
            reduce(aux);
            process.free(temporary);
            reduce(kCapture);
            process.wait_stream(kCapture, aux);
        }
    }

    void capture() {
        process.malloc(kGeneratorTensor, kCapture);
        process.malloc(kGeneratorTensor, kCapture);
        process.begin_capture(kGraph, kCapture);
        forward();
        process.end_capture(kCapture);
    }

    AsyncProcess process;
    std::set<std::uint64_t> temporaries;

  private:
    void reduce(StreamId stream) {
        const Allocated partials = process.malloc(kPartials, stream);
        const Allocated counter = process.malloc(kCounter, stream);
        process.free(counter);
        process.free(partials);
    }

    std::uint32_t aux_streams_;
};

double mib(std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>((1_MiB).count);
}

}  // namespace

TEST_CASE("the demo's four rows under cudaMallocAsync are met", "[async][measured]") {
    const Measured row = GENERATE(values<Measured>({
        {false, false, 2, 8.000244140625, 0, 32, 0},
        {false, true, 1, 8.000259399414062, 0, 32, 32},
        {true, false, 2, 8.000244140625, 0, 32, 0},
        {true, true, 1, 8.000259399414062, 0, 32, 32},
    }));
    CAPTURE(row.is_shared, row.is_graph);
    Demo demo(row.is_shared);
    const std::uint64_t before = demo.process.reserved();
    const AsyncAllocator& allocator = demo.process.allocator;
    if (row.is_graph) {
        demo.capture();
        CHECK(allocator.graph_memory().reserved().current == 0_MiB);
        REQUIRE_FALSE(demo.process.allocator.launch(kGraph, kDefaultStream));
        demo.process.allocator.launched(kGraph, kDefaultStream);
    } else {
        demo.forward();
    }
    demo.process.synchronize();
    CHECK(demo.temporaries.size() == row.unique);
    CHECK(mib(demo.process.allocated()) == Approx(row.allocated).epsilon(1e-12));
    CHECK(mib(demo.process.reserved() - before) == row.reserved_delta);
    CHECK(mib(allocator.stats().reserved_bytes.all.peak) == row.peak_reserved);
    CHECK(mib(allocator.graph_memory().reserved().current.count) == row.graph_memory);
}

}  // namespace highwater
