#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace highwater {

/// Prints where and what to standard error, then aborts. For broken invariants of ours, never for
/// bad input (`InputError`) and never for what PyTorch itself would refuse (`PredictedError`).
[[noreturn]] void invariant_broken(std::string_view what, const std::source_location& where);

/// Always on, in every build. `what` states the invariant that should have held.
constexpr void check(bool holds,
                     std::string_view what,
                     const std::source_location& where = std::source_location::current()) {
    if (!holds) [[unlikely]] {
        invariant_broken(what, where);
    }
}

/// As `check`, in builds without NDEBUG only: for arithmetic on the allocator's hot path.
constexpr void check_in_debug(
    [[maybe_unused]] bool holds,
    [[maybe_unused]] std::string_view what,
    [[maybe_unused]] const std::source_location& where = std::source_location::current()) {
#ifndef NDEBUG
    check(holds, what, where);
#endif
}

}  // namespace highwater
