#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/bytes.hpp"

namespace highwater {

/// What a program could do otherwise, to be tried on its history.
struct Remedy {
    /// For people, as an instruction.
    std::string text;
    /// Keys and values to be set beside the recorded settings.
    std::vector<std::pair<std::string, std::string>> options{};
    /// The settings' text to run it with; none for the recorded settings.
    std::optional<std::string> conf{};
    /// All streams but the default one become one.
    bool shares_side_stream = false;
    /// All captures take memory from one pool.
    bool shares_pool = false;
    bool drops_record_stream = false;
    friend bool operator==(const Remedy&, const Remedy&) = default;
};

/// What a history has that remedies are about.
struct RemedyFacts {
    /// The recorded settings' text.
    std::string conf;
    /// Beside the default stream.
    std::size_t side_streams = 0;
    std::size_t private_pools = 0;
    /// Some free waited for events, or for a capture to end.
    bool has_waiting_frees = false;
};

/// Those that PyTorch takes beside the recorded settings, that are not in force already and that
/// there is something to do for: expandable segments, limits of splitting, power-of-two rounding,
/// larger segments, one side stream, one pool, no record_stream.
std::vector<Remedy> possible_remedies(const RemedyFacts& facts);

/// `conf` with the option set to the value, in place of what it says about it.
std::string with_option(std::string_view conf, std::string_view key, std::string_view value);

/// Both at once; none if they are about the same, or PyTorch refuses their settings together.
/// `conf` is the recorded settings' text.
std::optional<Remedy> combined(const Remedy& one, const Remedy& other, std::string_view conf);

/// Reserved memory of a run.
struct ReservedOutcome {
    Bytes peak;
    Bytes end;
    friend bool operator==(const ReservedOutcome&, const ReservedOutcome&) = default;
};

/// A remedy that was run.
struct Advice {
    Remedy remedy;
    ReservedOutcome outcome;
    /// Of reserved memory; below 0 where it takes more.
    std::int64_t saved_at_peak = 0;
    std::int64_t saved_at_end = 0;
    friend bool operator==(const Advice&, const Advice&) = default;
};

/// What a remedy leads to; none for one that cannot be run, or that runs out of memory.
using RunRemedy = std::function<std::optional<ReservedOutcome>(const Remedy&)>;

/// Runs each remedy. What lowers neither the peak nor, with the same peak, the end is left out.
/// Most saved at the peak comes first, then most saved at the end.
std::vector<Advice> advise(const ReservedOutcome& recorded,
                           const std::vector<Remedy>& remedies,
                           const RunRemedy& run);

/// Several together: begins with the first of `advice` and takes each further one that saves more
/// beside what is taken already. None if no second one does.
std::optional<Advice> best_together(const ReservedOutcome& recorded,
                                    const std::vector<Advice>& advice,
                                    std::string_view conf,
                                    const RunRemedy& run);

}  // namespace highwater
