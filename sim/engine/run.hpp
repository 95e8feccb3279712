#pragma once

#include <string>

#include "sim/allocator/malloc.hpp"
#include "sim/allocator/trace_event.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/program.hpp"

namespace highwater {

/// Runs a Program on the simulated allocator. GPU work completes at once unless its stream is held.
/// Stops at the first operation that would fail in PyTorch and says so in `Ledger::failure`.
/// Throws `InputError` for a Program that is not well formed (a tensor freed twice, an unknown id).
/// The trace, if one is given, takes every event.
Ledger run(const Program& program, TraceSink* trace = nullptr);

/// Where and why memory ran out, with the figures of PyTorch's message, in our words.
std::string message_of(const OutOfMemory& error);

}  // namespace highwater
