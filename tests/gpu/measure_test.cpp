#include "gpu/measure.hpp"

#include <algorithm>

#include "tests/gpu/fake_backend.hpp"
#include "tests/support/catch.hpp"

using namespace highwater;
using namespace highwater::literals;

namespace {

constexpr StreamId kSide{1};
constexpr TensorId kA{0};
constexpr TensorId kB{1};
constexpr GraphId kG{0};

Program program_of(std::vector<Op> ops) {
    Program program;
    program.machine.total_memory = 1_GiB;
    program.streams = {{"default", StreamHandle{0}}, {"side", StreamHandle{16}}};
    program.tensors = {"a", "b"};
    program.events = {"e"};
    program.graphs = {"g"};
    program.pools = {"p"};
    program.threads = {"main", "second"};
    program.ops = std::move(ops);
    return program;
}

gpu::Measurement measured(std::vector<Op> ops) {
    const Program program = program_of(std::move(ops));
    gpu::FakeBackend backend(program);
    return gpu::measure(program, backend, "fake");
}

// A reader on a stream that is held, behind which the memory goes to another tensor.
std::vector<Op> reuse_under_a_reader(bool records_stream) {
    std::vector<Op> ops{op::Alloc{kA, 1_MiB, kDefaultStream},
                        op::Kernel{kDefaultStream, {}, {kA}},
                        op::HoldStream{kSide},
                        op::Kernel{kSide, {kA}, {}}};
    if (records_stream) {
        ops.emplace_back(op::RecordStream{kA, kSide});
    }
    ops.insert(ops.end(),
               {op::Free{kA},
                op::Alloc{kB, 1_MiB, kDefaultStream},
                op::Kernel{kDefaultStream, {}, {kB}},
                op::ReleaseStream{kSide},
                op::Synchronize{}});
    return ops;
}

}  // namespace

TEST_CASE("a reader whose memory was given away is seen as corruption, at its operation",
          "[corruption]") {
    const gpu::Measurement measurement = measured(reuse_under_a_reader(false));
    REQUIRE(measurement.corruption.size() == 1);
    CHECK(measurement.corruption.front().op == 3);
    CHECK(measurement.corruption.front().words > 0);
}

TEST_CASE("with record_stream there is no corruption", "[corruption]") {
    const gpu::Measurement measurement = measured(reuse_under_a_reader(true));
    CHECK(measurement.corruption.empty());
    CHECK(measurement.verified_reads == 1);
}

TEST_CASE("a weak view of memory that was given away is seen as corruption", "[corruption]") {
    const auto ops = [](bool reuses) {
        std::vector<Op> made{op::Alloc{kA, 4_KiB, kDefaultStream},
                             op::Kernel{kDefaultStream, {}, {kA}},
                             op::WeakView{kB, kA},
                             op::Free{kA}};
        if (reuses) {
            made.emplace_back(op::Alloc{kA, 4_KiB, kDefaultStream});
            made.emplace_back(op::Kernel{kDefaultStream, {}, {kA}});
        }
        made.emplace_back(op::Kernel{kDefaultStream, {kB}, {}});
        return made;
    };
    CHECK(measured(ops(true)).corruption.size() == 1);
    CHECK(measured(ops(false)).corruption.empty());
}

TEST_CASE("what nobody wrote is not looked at", "[corruption]") {
    const gpu::Measurement measurement = measured({op::Alloc{kA, 4_KiB, kDefaultStream},
                                                   op::Kernel{kDefaultStream, {kA}, {}},
                                                   op::Memset{kDefaultStream, kA},
                                                   op::Kernel{kDefaultStream, {kA}, {}}});
    CHECK(measurement.unverified_reads == 1);
    CHECK(measurement.verified_reads == 1);
    CHECK(measurement.corruption.empty());
}

TEST_CASE("copies carry words from tensor to tensor, and zeros from the host", "[corruption]") {
    const gpu::Measurement measurement =
        measured({op::Alloc{kA, 4_KiB, kDefaultStream},
                  op::Alloc{kB, 4_KiB, kDefaultStream},
                  op::Copy{kDefaultStream, op::CopyKind::kHostToDevice, false, 4_KiB, {}, kA},
                  op::Kernel{kDefaultStream, {kA}, {}},
                  op::Kernel{kDefaultStream, {}, {kA}},
                  op::Copy{kDefaultStream, op::CopyKind::kDeviceToDevice, false, 4_KiB, kA, kB},
                  op::Kernel{kDefaultStream, {kB}, {}},
                  op::Copy{kDefaultStream, op::CopyKind::kDeviceToDevice, false, 1_KiB, kA, kB},
                  op::Kernel{kDefaultStream, {kB}, {}}});
    // The copies' sources among them.
    CHECK(measurement.verified_reads == 4);
    CHECK(measurement.unverified_reads == 1);
    CHECK(measurement.corruption.empty());
}

TEST_CASE("a copy of memory that was given away is seen as corruption", "[corruption]") {
    const gpu::Measurement measurement =
        measured({op::Alloc{kA, 4_KiB, kDefaultStream},
                  op::Kernel{kDefaultStream, {}, {kA}},
                  op::WeakView{kB, kA},
                  op::Free{kA},
                  op::Alloc{kA, 4_KiB, kDefaultStream},
                  op::Kernel{kDefaultStream, {}, {kA}},
                  op::Copy{kDefaultStream, op::CopyKind::kDeviceToHost, true, 4_KiB, kB, {}}});
    REQUIRE(measurement.corruption.size() == 1);
    CHECK(measurement.corruption.front().op == 6);
}

TEST_CASE("a copy in a capture adds no node but its own", "[graphs]") {
    const gpu::Measurement measurement =
        measured({op::Alloc{kA, 4_KiB, kSide},
                  op::Kernel{kSide, {}, {kA}},
                  op::BeginCapture{kG, kSide, {}},
                  op::Copy{kSide, op::CopyKind::kDeviceToHost, false, 4_KiB, kA, {}},
                  op::EndCapture{kG, {}}});
    CHECK(measurement.ledger.graphs.front().nodes == 1);
}

TEST_CASE("a graph is counted with its nodes, and each replay has a time", "[graphs]") {
    const gpu::Measurement measurement = measured({op::Alloc{kA, 1_MiB, kSide},
                                                   op::BeginCapture{kG, kSide, {}},
                                                   op::Kernel{kSide, {}, {kA}},
                                                   op::Kernel{kSide, {kA}, {}},
                                                   op::EndCapture{kG, {}},
                                                   op::Replay{kG, kSide},
                                                   op::Replay{kG, kSide}});
    REQUIRE(measurement.ledger.graphs.size() == 1);
    const GraphRow& row = measurement.ledger.graphs.front();
    CHECK(row.nodes == 2);
    CHECK(row.edges == 1);
    CHECK(row.replays == 2);
    CHECK(measurement.graphs.front().replays ==
          std::vector<Duration>(2, std::chrono::microseconds(1)));
    CHECK(measurement.graphs.front().shape.kinds.at(NodeKind::kKernel) == 2);
    CHECK(measurement.corruption.empty());
}

TEST_CASE("what is refused ends the run, and says where and with which error", "[failure]") {
    const gpu::Measurement measurement =
        measured({op::BeginCapture{kG, kSide, {}}, op::Synchronize{}, op::Checkpoint{"never"}});
    REQUIRE(measurement.ledger.failure);
    CHECK(measurement.ledger.failure->op == 1);
    CHECK(measurement.ledger.failure->cuda_error == CudaError::kStreamCaptureUnsupported);
    CHECK(measurement.ledger.checkpoints.empty());
    // The card cannot be waited for during a capture, and that is said.
    CHECK_FALSE(measurement.warnings.empty());
}

TEST_CASE("what fails where it is tried is caught, and the program goes on", "[failure]") {
    const gpu::Measurement measurement = measured({op::Try{"greedy"},
                                                   op::Alloc{kA, 1_MiB, kDefaultStream},
                                                   op::Alloc{kB, 2_GiB, kDefaultStream},
                                                   op::Kernel{kDefaultStream, {}, {kB}},
                                                   op::Free{kB},
                                                   op::Free{kA},
                                                   op::EndTry{},
                                                   op::Checkpoint{"after"}});
    CHECK_FALSE(measurement.ledger.failure);
    REQUIRE(measurement.ledger.caught.size() == 1);
    CHECK(measurement.ledger.caught.front().tried == "greedy");
    CHECK(measurement.ledger.caught.front().kind == Failure::Kind::kOutOfMemory);
    REQUIRE(measurement.ledger.checkpoints.size() == 1);
    CHECK(measurement.ledger.checkpoints.front().stats.allocated_bytes.all.current == 0);
}

TEST_CASE("what another thread does is done by another thread", "[threads]") {
    const Program program = program_of({op::BeginCapture{kG, kSide, {}, CaptureMode::kThreadLocal},
                                        op::Kernel{kSide, {}, {}},
                                        op::SwitchThread{ThreadId{1}},
                                        op::Synchronize{kDefaultStream},
                                        op::SwitchThread{kMainThread},
                                        op::EndCapture{kG, {}}});
    gpu::FakeBackend backend(program);
    CHECK_FALSE(gpu::measure(program, backend, "fake").ledger.failure);
}

TEST_CASE("the card is made as small as the program's machine", "[ballast]") {
    Program program = program_of({op::Alloc{kA, 900_MiB, kDefaultStream}});
    gpu::FakeBackend backend(program);
    program.machine.total_memory = 512_MiB;
    program.machine.cost_profile = "h200";
    const gpu::Measurement measurement = gpu::measure(program, backend, "fake");
    CHECK(measurement.ballast == 512_MiB);
    REQUIRE(measurement.ledger.failure);
    CHECK(measurement.ledger.failure->kind == Failure::Kind::kOutOfMemory);
}

TEST_CASE("without a cost profile the allocator has all of the program's machine", "[ballast]") {
    Program program = program_of({op::Alloc{kA, 500_MiB, kDefaultStream}});
    gpu::FakeBackend backend(program);
    REQUIRE(backend.card().add_library_memory("context", 100_MiB, {}));
    program.machine.total_memory = 512_MiB;
    const gpu::Measurement measurement = gpu::measure(program, backend, "fake");
    CHECK(measurement.ballast == 412_MiB);
    CHECK_FALSE(measurement.ledger.failure);
}

TEST_CASE("a card with less memory than the program's is warned of", "[ballast]") {
    Program program = program_of({op::Alloc{kA, 1_MiB, kDefaultStream}});
    gpu::FakeBackend backend(program);
    program.machine.total_memory = 2_GiB;
    const gpu::Measurement measurement = gpu::measure(program, backend, "fake");
    CHECK(measurement.ballast == Bytes{});
    CHECK(measurement.warnings.size() == 1);
}

TEST_CASE("what is in use beside the allocator is the driver's", "[driver]") {
    const gpu::Measurement measurement =
        measured({op::Alloc{kA, 10_MiB, kDefaultStream},
                  op::AddDriverMemory{"cublas", "", op::DriverUser::kLibrary, 32_MiB, Bytes{}, {}},
                  op::Checkpoint{"with"},
                  op::RemoveDriverMemory{"cublas"},
                  op::Checkpoint{"without"}});
    REQUIRE(measurement.ledger.checkpoints.size() == 2);
    CHECK(measurement.ledger.checkpoints[0].driver == 32_MiB);
    CHECK(measurement.ledger.checkpoints[1].driver == Bytes{});
}

TEST_CASE("a program that a backend has no counterpart for is not begun", "[abilities]") {
    const auto reason = [](const std::vector<Op>& ops, auto change) {
        const Program program = program_of(ops);
        gpu::FakeBackend backend(program);
        change(backend.fake_memory.able);
        try {
            gpu::measure(program, backend, "fake");
        } catch (const gpu::NoMeasurement& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::vector<Op> pools{op::CreatePool{PoolName{0}}, op::DestroyPool{PoolName{0}}};
    CHECK(reason(pools, [](gpu::Abilities& able) { able.pools = false; }) ==
          "the backend fake cannot run this program: it has no memory pools");
    CHECK(reason(pools, [](gpu::Abilities&) {}).empty());
    CHECK(reason({op::SavePool{PoolName{0}, "s"}},
                 [](gpu::Abilities& able) { able.pool_states = false; }) ==
          "the backend fake cannot run this program: it cannot set a pool back to an earlier "
          "state");
}

TEST_CASE("a program that contradicts itself is bad input", "[failure]") {
    CHECK_THROWS_AS(measured({op::Free{kA}}), InputError);
    CHECK_THROWS_AS(measured({op::Replay{kG, kSide}}), InputError);
    CHECK_THROWS_AS(
        measured({op::Alloc{kA, 1_MiB, kDefaultStream}, op::Alloc{kA, 1_MiB, kDefaultStream}}),
        InputError);
}
