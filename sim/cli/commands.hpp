#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace highwater {

/// What a command does once the whole command line is read; gives the exit status.
using Action = std::function<int()>;

/// Exit statuses. Bad input, which is 2, comes as an `InputError`.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kBadInput = 2;
/// There is no card, or no harness, so that nothing was compared.
inline constexpr int kNothingMeasured = 3;

/// Each adds its command to the program. `chosen` becomes its action if the user gives the command.
void add_run(CLI::App& program, Action& chosen);
void add_check(CLI::App& program, Action& chosen);
void add_validate(CLI::App& program, Action& chosen);
void add_conform(CLI::App& program, Action& chosen);
void add_replay(CLI::App& program, Action& chosen);
void add_diff(CLI::App& program, Action& chosen);
void add_plan(CLI::App& program, Action& chosen);

}  // namespace highwater
