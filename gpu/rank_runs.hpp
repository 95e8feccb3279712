#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/isolated.hpp"
#include "gpu/rank.hpp"

namespace highwater::gpu {

/// What is to be run by each of `count` processes at once, rank r on GPU `device` + r, and how long
/// they have.
struct RankRuns {
    std::uint32_t count = 1;
    int device = 0;
    std::chrono::milliseconds limit{};
    /// Gives the JSON of a measurement, and whatever else.
    std::function<std::vector<std::string>(const Rank&)> call;
};

/// Runs them. A rank whose program failed, as its JSON says, is one that the others cannot wait
/// for.
EndedTogether run_ranks(const RankRuns& runs);

/// Why there is no measurement, if there is none: with the rank, where there are several.
std::string reason_of(const EndedTogether& together);

/// Whether there is a measurement: of all ranks, or of one that says why its program failed.
bool is_measured(const EndedTogether& together);

/// Several ranks' measurements in the form of one, the first that there is; null stands for none.
/// `measured.ranks` has them all.
nlohmann::ordered_json gathered(const std::vector<nlohmann::ordered_json>& ranks);

}  // namespace highwater::gpu
