#include "gpu/rank_runs.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gpu/notes.hpp"

namespace highwater::gpu {
namespace {

using Json = nlohmann::ordered_json;
using How = Ended::How;

// The ranks that were not over in time.
std::string late_ranks(const std::vector<Ended>& calls) {
    std::vector<std::size_t> late;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].how == How::kTimedOut) {
            late.push_back(i);
        }
    }
    return fmt::format("{} {}", late.size() > 1 ? "ranks" : "rank", fmt::join(late, ", "));
}

bool has_failed(const Ended& ended) {
    return ended.how == How::kDone && Json::parse(ended.parts.at(0)).contains("failure");
}

}  // namespace

EndedTogether run_ranks(const RankRuns& runs) {
    std::optional<NoteFolder> folder;
    if (runs.count > 1) {
        folder.emplace();
    }
    std::vector<IsolatedCall> calls;
    for (std::uint32_t number = 0; number < runs.count; ++number) {
        const Rank rank{runs.device + static_cast<int>(number),
                        number,
                        runs.count,
                        folder ? folder->path() : std::string()};
        calls.emplace_back([&runs, rank] { return runs.call(rank); });
    }
    return run_together(calls, runs.limit, has_failed);
}

bool is_measured(const EndedTogether& together) {
    const std::size_t last = together.calls.size();
    const std::size_t first = together.first_failed.value_or(last);
    return first < last ? together.calls[first].how == How::kDone
                        : std::ranges::all_of(together.calls, [](const Ended& each) {
                              return each.how == How::kDone;
                          });
}

std::string reason_of(const EndedTogether& together) {
    const std::vector<Ended>& calls = together.calls;
    const auto ended = together.first_failed
                           ? calls.begin() + static_cast<std::ptrdiff_t>(*together.first_failed)
                           : std::ranges::find(calls, How::kTimedOut, &Ended::how);
    if (calls.size() == 1 || ended == calls.end()) {
        return calls.front().reason;
    }
    const std::string who = ended->how == How::kTimedOut
                                ? late_ranks(calls)
                                : fmt::format("rank {}", ended - calls.begin());
    return fmt::format("{}: {}", who, ended->reason);
}

Json gathered(const std::vector<Json>& ranks) {
    const auto first =
        std::ranges::find_if(ranks, [](const Json& rank) { return !rank.is_null(); });
    Json result = *first;
    if (ranks.size() > 1) {
        result["measured"]["ranks"] = ranks;
    }
    return result;
}

}  // namespace highwater::gpu
