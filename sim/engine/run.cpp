#include "sim/engine/run.hpp"

#include <fmt/format.h>

#include "sim/allocator/ascending_memory.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/pool_rows.hpp"

namespace highwater {
namespace {

TensorId tensor_of(const Op& allocation) {
    const auto* alloc = std::get_if<op::Alloc>(&allocation);
    return alloc != nullptr ? alloc->tensor : std::get<op::AllocRest>(allocation).tensor;
}

// Adds one operation's outcome to the ledger.
class Recorder {
  public:
    Recorder(const Program& program, const Executor& executor, Ledger& ledger)
        : program_(program), executor_(executor), ledger_(ledger) {}

    void took(std::size_t index, const OpResult& result) {
        if (const auto* out_of_memory = std::get_if<OutOfMemory>(&result)) {
            failed(index, Failure::Kind::kOutOfMemory, message_of(*out_of_memory));
        } else if (const auto* placed = std::get_if<Placed>(&result)) {
            ledger_.placements.push_back(
                {tensor_of(program_.ops[index]), placed->address, placed->size});
        } else if (const auto* checkpoint = std::get_if<op::Checkpoint>(&program_.ops[index])) {
            ledger_.checkpoints.push_back(
                {checkpoint->name, executor_.allocator().stats(), ledger_.placements.size()});
        }
    }

    void failed(std::size_t index, Failure::Kind kind, const std::string& message) {
        ledger_.failure = {.kind = kind, .op = index, .message = message};
    }

  private:
    const Program& program_;
    const Executor& executor_;
    Ledger& ledger_;
};

}  // namespace

std::string message_of(const OutOfMemory& error) {
    const std::string allowed =
        error.limit ? fmt::format(", of which this process may use {} B", error.limit->count) : "";
    return fmt::format(
        "CUDA out of memory: a request of {} B needs a segment of {} B; the device has {} B free "
        "of "
        "{} B{}; PyTorch has allocated {} B and keeps {} B reserved beyond that",
        error.requested.count,
        error.segment.count,
        error.device_free.count,
        error.device_total.count,
        allowed,
        error.allocated.count,
        error.reserved.count - error.allocated.count);
}

Ledger run(const Program& program, TraceSink* trace) {
    AscendingMemory memory(program.machine.total_memory);
    Executor executor(program, memory);
    executor.allocator().set_trace(trace);
    Ledger ledger;
    Recorder recorder(program, executor, ledger);
    for (std::size_t i = 0; i < program.ops.size() && !ledger.failure; ++i) {
        try {
            recorder.took(i, executor.step(i));
        } catch (const PredictedError& error) {
            recorder.failed(i, Failure::Kind::kPyTorchError, error.what());
        } catch (const SettingsError& error) {
            recorder.failed(i, Failure::Kind::kPyTorchError, error.what());
        }
    }
    ledger.result = executor.allocator().stats();
    ledger.pools = pool_rows(executor);
    ledger.segments = executor.allocator().snapshot();
    return ledger;
}

}  // namespace highwater
