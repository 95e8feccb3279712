#include "tests/engine/every_op.hpp"

namespace highwater {

using namespace literals;

Program program_of_every_op() {
    Program p;
    p.machine = {80_GiB, 0.1, "expandable_segments:True, max_split_size_mb:64"};
    p.machine.caching = false;
    p.machine.blocking_launches = true;
    p.machine.cost_profile = "h200 as measured";
    p.machine.ranks = 2;
    p.streams = {{"default", StreamHandle{0}}, {"aux[0]", StreamHandle{0x55d0c0ffee00}, true}};
    p.threads = {"main", "mode"};
    p.tensors = {"x", "on", "two words"};
    p.events = {"e"};
    p.graphs = {"g"};
    p.pools = {"p"};
    const TensorId x{0};
    const TensorId on{1};
    const TensorId words{2};
    const StreamId aux{1};
    p.ops = {
        op::CreatePool{PoolName{0}, true, true},
        op::CreatePool{PoolName{0}, true, false},
        op::CreatePool{PoolName{0}, false, true},
        op::CreatePool{PoolName{0}},
        op::EnterPool{PoolName{0}},
        op::Alloc{x, 8_MiB, kDefaultStream},
        op::AllocRest{x, Bytes{131072}, 1_GiB, StreamId{1}},
        op::LeavePool{PoolName{0}},
        op::DestroyPool{PoolName{0}},
        op::SavePool{PoolName{0}, "after b"},
        op::RestorePool{"after b"},
        op::RecordStream{x, aux},
        op::WeakView{words, x},
        op::Kernel{aux, {x, on}, {words}},
        op::Kernel{aux, {}, {on}},
        op::Kernel{aux, {words}, {}},
        op::Kernel{aux, {}, {}},
        op::Kernel{aux, {x}, {words}, Duration{1200}, 0.25F},
        op::Kernel{aux, {}, {on}, Duration{1}, 1},
        op::Memset{aux, x},
        op::Memset{aux, x, Duration{7}},
        op::Copy{aux, op::CopyKind::kHostToDevice, false, 1_MiB, {}, x},
        op::Copy{aux, op::CopyKind::kDeviceToHost, true, 4_B, x, {}},
        op::Copy{aux, op::CopyKind::kDeviceToDevice, false, 4_B, x, on},
        op::HostFunction{aux},
        op::HostFunction{aux, Duration{3000}},
        op::HostWork{Duration{5000}},
        op::SwitchThread{ThreadId{1}},
        op::SwitchThread{kMainThread},
        op::SynchronizeEvent{EventName{0}},
        op::QueryEvent{EventName{0}},
        op::RecordEvent{EventName{0}, aux},
        op::WaitEvent{kDefaultStream, EventName{0}},
        op::Synchronize{},
        op::Synchronize{aux},
        op::MakePoolHandle{PoolName{0}},
        op::BeginCapture{GraphId{0}, aux, PoolName{0}},
        op::BeginCapture{GraphId{0}, aux, {}},
        op::BeginCapture{GraphId{0}, aux, {}, op::CaptureMode::kThreadLocal},
        op::BeginCapture{GraphId{0}, aux, PoolName{0}, op::CaptureMode::kRelaxed},
        op::EndCapture{GraphId{0}},
        op::EndCapture{GraphId{0}, aux},
        op::Try{"for once"},
        op::EndTry{},
        op::Replay{GraphId{0}, kDefaultStream},
        op::DestroyGraph{GraphId{0}},
        op::Free{x},
        op::AddDriverMemory{"nccl", "on page 3", op::DriverUser::kCollective, 200_MiB, 50_MiB, {}},
        op::AddDriverMemory{"blas", "error", op::DriverUser::kLibrary, 1_B, {}, aux},
        op::RemoveDriverMemory{"nccl"},
        op::MakeCommunicator{"ring", "seen", 200_MiB, 8_MiB, 2_MiB, 1_MiB},
        op::MakeCommunicator{"captured", "first_use", 1_B, {}, {}, {}},
        op::AllReduce{x, "ring", aux},
        op::AllReduce{words, "captured", aux, Duration{20000}, 0.25F},
        op::EmptyCache{},
        op::SetAllocatorSettings{""},
        op::ResetPeaks{},
        op::Checkpoint{"after \"it\""},
        op::HoldStream{aux},
        op::ReleaseStream{aux}};
    return p;
}

}  // namespace highwater
