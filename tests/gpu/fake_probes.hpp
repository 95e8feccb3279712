#pragma once

#include <set>

#include "gpu/calibrate/probes.hpp"
#include "sim/driver/cost_profile.hpp"

namespace highwater::gpu {

/// A card that does what a cost profile says: what is calibrated on it is known.
class FakeProbes final : public Probes {
  public:
    explicit FakeProbes(CostProfile profile) : profile_(std::move(profile)) {}

    CardFacts card{.name = "Fake",
                   .multiprocessors = 7,
                   .compute_major = 9,
                   .total_memory = Bytes{1ULL << 40U},
                   .driver = "999.01",
                   .driver_cuda = 13010,
                   .runtime_cuda = 13000,
                   .other_processes = 0};
    /// Refused, as a card without the means does.
    std::set<Timed> refused{};
    /// Whether it can be asked for graph memory nodes.
    bool has_memory_nodes = true;
    /// cudaMalloc waits for work.
    bool malloc_waits = false;

    CardFacts facts() override { return card; }
    std::vector<Bytes> memory_of_streams(std::size_t streams) override;
    std::vector<Bytes> memory_of_mallocs(Bytes size, std::size_t count) override;
    std::vector<Bytes> memory_of_graphs(const std::vector<GraphForm>& forms) override;
    Bytes memory_of_nodes(Bytes size) override;
    std::uint64_t launch_queue() override { return profile_.times.host.launch_queue; }
    Duration time(Timed what, std::uint64_t n) override;

  private:
    Duration host_time(Timed what, std::uint64_t n) const;
    Duration graph_time(Timed what, std::uint64_t n) const;
    Duration chain_time(Timed what, std::uint64_t n) const;
    Duration copy_time(Timed what, std::uint64_t n) const;

    CostProfile profile_;
};

}  // namespace highwater::gpu
