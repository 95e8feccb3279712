#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "validate/recorded_program.hpp"

namespace highwater {

/// Where a simulated program first departs from the recorded one.
struct Departure {
    std::string seed;
    /// The recorded operation, by number from 0 and as it stands in the file; "end" for what is
    /// compared after the last.
    std::string operation;
    /// What differs: a counter's name, "result", "trace event 3", "segments", ...
    std::string what;
    std::string expected;
    std::string got;
    friend bool operator==(const Departure&, const Departure&) = default;
};

/// Replays one recorded program: every result, counter and trace event after every operation, and
/// segments and statistics at the end. No value if all are equal. `free_completed` events that
/// follow each other within one operation may come in any order (allocator specification 10).
/// With `audited`, the allocator's state is audited after every operation.
std::optional<Departure> replay_recorded(const RecordedProgram& recorded, bool audited = false);

struct ConformReport {
    std::size_t exact = 0;
    std::size_t total = 0;
    std::optional<Departure> first;
    friend bool operator==(const ConformReport&, const ConformReport&) = default;
};

/// Replays every program of a file. Throws `InputError` if it is not one of recorded programs.
ConformReport conform_file(const std::string& path);

}  // namespace highwater
