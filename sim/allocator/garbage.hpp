#pragma once

#include "sim/allocator/state.hpp"

/// Allocator specification 6: garbage collection.
namespace highwater::allocator {

/// Frees the older cached segments of the default large pool while more is reserved than the
/// threshold allows. There are a limit and a threshold.
void collect_garbage(State& s);

}  // namespace highwater::allocator
