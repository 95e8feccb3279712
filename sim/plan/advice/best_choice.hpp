#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace highwater::plan {

/// Some of a list of remedies, by index, ascending.
using Chosen = std::vector<std::size_t>;

/// What they save together; none if that cannot be told or is not wanted.
using Saving = std::function<std::optional<std::int64_t>(const Chosen&)>;

/// A choice of several, and what it saves.
struct BestChoice {
    Chosen chosen;
    std::int64_t saved = 0;
    friend bool operator==(const BestChoice&, const BestChoice&) = default;
};

/// Of remedies whose own savings are `alone`, best first: begins with the first and takes each
/// further one that saves more beside what is taken, also what saves nothing alone; then once more
/// from the best pair of the first `kPaired`, if that saves more. Two with the same of `about` are
/// never together. None if nothing saves more than the first alone.
std::optional<BestChoice> best_choice(const std::vector<std::int64_t>& alone,
                                      const std::vector<std::string>& about,
                                      const Saving& saving);

inline constexpr std::size_t kPaired = 6;

}  // namespace highwater::plan
