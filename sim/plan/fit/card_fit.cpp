#include "sim/plan/fit/card_fit.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <variant>

#include "sim/core/error.hpp"
#include "sim/engine/program.hpp"
#include "sim/plan/fit/kv_fit.hpp"
#include "sim/plan/fit/largest.hpp"
#include "sim/plan/peaks.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/facts/devices.hpp"

namespace highwater::plan {
namespace {

constexpr std::uint64_t kOneMiB = 1ULL << 20U;
constexpr auto kMostMiB = static_cast<std::int64_t>(kMaxTotalMemory.count / kOneMiB);

class CardTrials {
  public:
    CardTrials(const Scenario& scenario, std::span<const Override> overrides)
        : scenario_(scenario), overrides_(overrides) {}

    struct Answer {
        bool fits = false;
        std::optional<std::int64_t> kv_tokens;
    };

    const Answer& on(Bytes capacity) {
        const auto [answer, is_new] = answers_.try_emplace(capacity.count);
        if (is_new) {
            answer->second = run_on(capacity);
        }
        return answer->second;
    }
    std::size_t runs() const { return answers_.size(); }

  private:
    Answer run_on(Bytes capacity) const {
        const Scenario moved = on_card(scenario_, capacity);
        const CostProfile* const costs = costs_of(moved);
        const Lowered lowered = lower(moved, resolve_parameters(moved, overrides_));
        const PlannedRun run = run_phases(lowered, costs);
        return {has_room(run.ledger), kv_tokens_in(lowered, run.ledger)};
    }

    const Scenario& scenario_;
    std::span<const Override> overrides_;
    std::map<std::uint64_t, Answer> answers_;
};

// Bounds the search from above, by doubling.
std::optional<std::int64_t> large_enough(std::int64_t mib, const Fits& fits) {
    for (; mib < kMostMiB; mib *= 2) {
        if (fits(mib)) {
            return mib;
        }
    }
    return fits(kMostMiB) ? std::optional(kMostMiB) : std::nullopt;
}

}  // namespace

SmallestCard smallest_card(const Scenario& scenario, std::span<const Override> overrides) {
    const auto* own = std::get_if<Bytes>(&scenario.machine.total_memory);
    const std::int64_t first =
        own == nullptr ? 1
                       : std::max<std::int64_t>(1, static_cast<std::int64_t>(own->count / kOneMiB));
    CardTrials trials(scenario, overrides);
    const Fits fits = [&](std::int64_t mib) {
        return trials.on(Bytes{static_cast<std::uint64_t>(mib) * kOneMiB}).fits;
    };
    SmallestCard card;
    if (const auto enough = large_enough(first, fits)) {
        const std::int64_t mib = smallest({1, *enough}, fits).value_or(*enough);
        card.capacity = Bytes{static_cast<std::uint64_t>(mib) * kOneMiB};
        card.kv_tokens = trials.on(*card.capacity).kv_tokens;
    }
    for (const std::string& name : device_names()) {
        const Bytes capacity = find_device(name)->total_memory;
        const CardTrials::Answer& answer = trials.on(capacity);
        card.known.push_back({name, capacity, answer.fits, answer.kv_tokens});
    }
    std::ranges::sort(card.known, {}, &KnownCard::capacity);
    card.runs = trials.runs();
    return card;
}

}  // namespace highwater::plan
