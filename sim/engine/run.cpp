#include "sim/engine/run.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sim/allocator/ascending_memory.hpp"
#include "sim/core/size_text.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/passing.hpp"
#include "sim/engine/pool_rows.hpp"
#include "sim/engine/run_observer.hpp"
#include "sim/engine/time_rows.hpp"

namespace highwater {
namespace {

TensorId tensor_of(const Op& allocation) {
    const auto* alloc = std::get_if<op::Alloc>(&allocation);
    return alloc != nullptr ? alloc->tensor : std::get<op::AllocRest>(allocation).tensor;
}

bool names_driver_memory(const Program& program) {
    return std::ranges::any_of(program.ops, [](const Op& op) {
        return std::holds_alternative<op::AddDriverMemory>(op) ||
               std::holds_alternative<op::MakeCommunicator>(op);
    });
}

// Errors that nothing in the program can catch.
bool ends_process(PredictedError::Kind kind) {
    return kind == PredictedError::Kind::kAbort || kind == PredictedError::Kind::kDeadlock;
}

// Reserved, and not allocated.
Bytes cached_of(const OutOfMemory& error) {
    return error.reserved > error.allocated ? error.reserved - error.allocated : Bytes{};
}

Failure failure_of_error(std::size_t op, const PredictedError& error) {
    const bool is_out_of_memory = error.cuda_error() == CudaError::kMemoryAllocation;
    return {is_out_of_memory ? Failure::Kind::kOutOfMemory : Failure::Kind::kPyTorchError,
            op,
            error.what(),
            error.cuda_error(),
            error.remedy(),
            "",
            error.cause()};
}

// Hands events on to all that want them, and notes them with their times if asked to.
class Sinks : public TraceSink {
  public:
    Sinks(const RunOptions& options, const Timeline& timeline)
        : history_(options.history), timeline_(timeline) {
        for (TraceSink* const sink : {static_cast<TraceSink*>(options.observer), options.trace}) {
            if (sink != nullptr) {
                sinks_.push_back(sink);
            }
        }
    }

    bool any() const { return history_ != nullptr || !sinks_.empty(); }

    void take(const TraceEvent& event) override {
        for (TraceSink* const sink : sinks_) {
            sink->take(event);
        }
        if (history_ != nullptr) {
            history_->events.push_back(event);
            history_->times.push_back(timeline_.now());
        }
    }

  private:
    std::vector<TraceSink*> sinks_;
    RunHistory* history_;
    const Timeline& timeline_;
};

// Runs the operations, and adds what comes out to the ledger.
class Runner {
  public:
    Runner(const Program& program, Executor& executor, const RunOptions& options, Ledger& ledger)
        : program_(program), executor_(executor), options_(options), ledger_(ledger) {}

    void run() {
        for (at_ = 0; at_ < program_.ops.size() && !ledger_.failure; ++at_) {
            if (const auto failure = failure_of(at_)) {
                failed(*failure);
            }
            note_memory();
            note_retries();
        }
        executor_.drain();
    }

  private:
    std::optional<Failure> failure_of(std::size_t index) {
        try {
            return took(index, step(index));
        } catch (const PredictedError& error) {
            if (ends_process(error.kind())) {
                tried_.clear();
            }
            return failure_of_error(index, error);
        } catch (const SettingsError& error) {
            return Failure{Failure::Kind::kPyTorchError, index, error.what()};
        }
    }

    OpResult step(std::size_t index) {
        if (options_.observer == nullptr) {
            return executor_.step(index);
        }
        try {
            OpResult result = executor_.step(index);
            if (std::holds_alternative<OutOfMemory>(result)) {
                options_.observer->failed(index, executor_);
            } else {
                options_.observer->took(index, result, executor_);
            }
            return result;
        } catch (const std::runtime_error&) {
            options_.observer->failed(index, executor_);
            throw;
        }
    }

    std::optional<Failure> took(std::size_t index, const OpResult& result) {
        const Op& op = program_.ops[index];
        if (const auto* out_of_memory = std::get_if<OutOfMemory>(&result)) {
            return Failure{Failure::Kind::kOutOfMemory,
                           index,
                           message_of(*out_of_memory, executor_.driver().total()),
                           std::nullopt,
                           remedy_of(*out_of_memory)};
        }
        if (const auto* placed = std::get_if<Placed>(&result)) {
            ledger_.placements.push_back(
                {tensor_of(op), placed->address, placed->size, index, placed->pool});
        } else if (const auto* checkpoint = std::get_if<op::Checkpoint>(&op)) {
            executor_.catch_up();
            ledger_.checkpoints.push_back(row_of(*checkpoint));
        } else if (const auto* tried = std::get_if<op::Try>(&op)) {
            tried_.push_back({tried->name, ledger_.placements.size()});
        } else if (std::holds_alternative<op::EndTry>(op)) {
            end_try();
        }
        return std::nullopt;
    }

    CheckpointRow row_of(const op::Checkpoint& checkpoint) const {
        const Timeline& timeline = executor_.timeline();
        return {checkpoint.name,
                executor_.stats(),
                ledger_.placements.size(),
                timeline.now(),
                timeline.busy(),
                timeline.host_bound(),
                timeline.host_waited(),
                executor_.driver().total(),
                executor_.driver().error()};
    }

    void end_try() {
        if (!tried_.empty()) {
            tried_.pop_back();
        }
    }

    void failed(Failure failure) {
        if (tried_.empty()) {
            ledger_.failure = std::move(failure);
            return;
        }
        failure.tried = tried_.back().name;
        ledger_.caught.push_back(std::move(failure));
        pass_to_end_of_try();
    }

    void pass_to_end_of_try() {
        const Passing passing = passing_of(program_, at_, tried_.back(), ledger_.placements);
        for (const std::size_t op : passing.ops) {
            at_ = op;
            pass(op);
            if (ledger_.failure) {
                return end_try();
            }
        }
        at_ = passing.end;
        end_try();
    }

    // What it would refuse now hides behind the first error, unless it ends the process.
    void pass(std::size_t index) {
        try {
            step(index);
        } catch (const PredictedError& error) {
            if (ends_process(error.kind())) {
                ledger_.failure = failure_of_error(index, error);
            }
        } catch (const InputError&) {
            return;
        }
    }

    void note_memory() {
        if (!options_.memory_over_time) {
            return;
        }
        const MemoryStats& stats = executor_.stats();
        // Threads differ in how far they are; memory against time does not go back.
        const Instant last = ledger_.memory.empty() ? Instant{} : ledger_.memory.back().time;
        const MemoryAt now{std::max(last, executor_.timeline().now()),
                           Bytes{stats.allocated_bytes.all.current},
                           Bytes{stats.active_bytes.all.current},
                           Bytes{stats.reserved_bytes.all.current}};
        if (ledger_.memory.empty() || ledger_.memory.back().allocated != now.allocated ||
            ledger_.memory.back().active != now.active ||
            ledger_.memory.back().reserved != now.reserved) {
            ledger_.memory.push_back(now);
        }
    }

    void note_retries() {
        const std::uint64_t now = executor_.allocator().state().counters.num_alloc_retries;
        if (now > retries_) {
            ledger_.first_retry = ledger_.first_retry
                                      ? ledger_.first_retry
                                      : std::optional(Retry{at_, executor_.timeline().now()});
        }
        retries_ = now;
    }

    const Program& program_;
    Executor& executor_;
    const RunOptions& options_;
    Ledger& ledger_;
    std::size_t at_ = 0;
    std::uint64_t retries_ = 0;
    std::vector<Tried> tried_;
};

}  // namespace

std::string message_of(const OutOfMemory& error, Bytes beside) {
    const std::string allowed =
        error.limit ? fmt::format(", of which this process may use {}", size_text(*error.limit))
                    : "";
    const std::string others =
        beside > Bytes{} ? fmt::format(", and {} is taken beside its allocator", size_text(beside))
                         : "";
    return fmt::format(
        "CUDA out of memory: a request of {} needs a segment of {}; the device has {} free of "
        "{}{}; "
        "PyTorch has allocated {} and keeps {} reserved beyond that{}",
        size_text(error.requested),
        size_text(error.segment),
        size_text(error.device_free),
        size_text(error.device_total),
        allowed,
        size_text(error.allocated),
        size_text(cached_of(error)),
        others);
}

std::string remedy_of(const OutOfMemory& error) {
    if (error.limit && error.device_free >= error.segment) {
        return "raise the memory fraction, ask for less, or free something first";
    }
    if (cached_of(error) >= error.requested) {
        return "what PyTorch keeps lies on other streams, in other pools or in pieces too small: "
               "share streams or pools, allocate what is large first, or use "
               "expandable_segments:True";
    }
    return "ask for less, free something first, or take a card with more memory";
}

Ledger run(const Program& program, const RunOptions& options) {
    AscendingMemory memory(program.machine.total_memory);
    Executor executor(program, memory, options.costs != nullptr ? *options.costs : CostProfile{});
    Sinks sinks(options, executor.timeline());
    executor.allocator().set_trace(sinks.any() ? &sinks : nullptr);
    executor.set_graph_sink(options.graphs);
    executor.set_listeners(options.timeline, options.device_calls);
    Ledger ledger;
    Runner(program, executor, options, ledger).run();
    ledger.result = executor.stats();
    ledger.pools = pool_rows(executor);
    ledger.segments = executor.allocator().snapshot();
    ledger.graphs = graph_rows(executor);
    if (options.history != nullptr) {
        options.history->settings = executor.allocator().state().settings;
    }
    if (options.costs != nullptr) {
        ledger.times = run_times(program, executor.timeline());
    }
    if (options.costs != nullptr || names_driver_memory(program)) {
        ledger.driver = executor.driver().terms();
    }
    return ledger;
}

}  // namespace highwater
