#include "tests/report/sample_run.hpp"

namespace highwater {

using namespace literals;

namespace {

StatByPool with_all(Bytes current, Bytes peak) {
    StatByPool stat;
    stat.all.current = current.count;
    stat.all.peak = peak.count;
    return stat;
}

MemoryStats sample_stats(std::uint64_t scale) {
    MemoryStats stats;
    stats.allocated_bytes = with_all(1_MiB * scale, 2_MiB * scale);
    stats.reserved_bytes = with_all(20_MiB * scale, 22_MiB * scale);
    stats.active_bytes = with_all(3_MiB * scale, 4_MiB * scale);
    stats.inactive_split_bytes = with_all(5_MiB * scale, 6_MiB * scale);
    stats.requested_bytes = with_all(1000_B * scale, 2000_B * scale);
    stats.segment.all.current = scale;
    stats.num_alloc_retries = 7;
    stats.num_ooms = 8;
    stats.num_device_alloc = 9;
    stats.num_device_free = 10;
    return stats;
}

}  // namespace

RunReport sample_run() {
    RunReport run;
    run.scenario = "sample";
    run.parameters = {{"layers", std::int64_t{32}}, {"mode", std::string("per-layer")}};
    run.streams = {{"default"}, {"aux[0]", "capture"}};
    run.ledger.checkpoints = {{"before", sample_stats(1), 0}, {"after", sample_stats(2), 0}};
    run.ledger.result = sample_stats(3);
    run.ledger.pools = {
        {{0, 0}, "default", 2_MiB, 4_MiB, 1_MiB, {{StreamId{0}, 2_MiB, 4_MiB}}},
        {{0, 1}, "graphs", 58_MiB, 60_MiB, 0_B, {{StreamId{1}, 58_MiB, 60_MiB}}},
    };
    run.measures = {{"reserved_delta_bytes", std::int64_t{20} << 20}, {"ratio", 2.5}};
    return run;
}

RunReport sample_failure() {
    RunReport run = sample_run();
    run.ledger.checkpoints.pop_back();
    run.measures.pop_back();
    run.ledger.failure = Failure{Failure::Kind::kOutOfMemory, 12, "no room for 3 B", {}, {}, {}};
    run.failed =
        FailedOperation{"alloc x on stream s (3 B)", SourcePlace{"sample.yaml", 7, 9}, "x", "s"};
    return run;
}

}  // namespace highwater
