#include "sim/plan/advice/best_choice.hpp"

#include <algorithm>
#include <map>

namespace highwater::plan {
namespace {

class ChoiceSearch {
  public:
    ChoiceSearch(const std::vector<std::string>& about, const Saving& saving)
        : about_(about), saving_(saving) {}

    // Each further one that saves more.
    BestChoice grown(BestChoice best) {
        for (std::size_t next = 0; next < about_.size(); ++next) {
            const std::optional<BestChoice> more = with(best.chosen, next);
            if (more && more->saved > best.saved) {
                best = *more;
            }
        }
        return best;
    }

    std::optional<BestChoice> best_pair() {
        std::optional<BestChoice> best;
        const std::size_t end = std::min(kPaired, about_.size());
        for (std::size_t one = 0; one < end; ++one) {
            for (std::size_t other = one + 1; other < end; ++other) {
                const std::optional<BestChoice> pair = with({one}, other);
                if (pair && (!best || pair->saved > best->saved)) {
                    best = pair;
                }
            }
        }
        return best;
    }

  private:
    std::optional<BestChoice> with(Chosen chosen, std::size_t next) {
        const auto clashes = [&](std::size_t each) { return about_[each] == about_[next]; };
        if (std::ranges::any_of(chosen, clashes)) {
            return std::nullopt;
        }
        chosen.insert(std::ranges::upper_bound(chosen, next), next);
        const auto [answer, is_new] = answers_.try_emplace(chosen);
        if (is_new) {
            answer->second = saving_(chosen);
        }
        return answer->second ? std::optional(BestChoice{chosen, *answer->second}) : std::nullopt;
    }

    const std::vector<std::string>& about_;
    const Saving& saving_;
    std::map<Chosen, std::optional<std::int64_t>> answers_;
};

}  // namespace

std::optional<BestChoice> best_choice(const std::vector<std::int64_t>& alone,
                                      const std::vector<std::string>& about,
                                      const Saving& saving) {
    if (alone.size() < 2) {
        return std::nullopt;
    }
    ChoiceSearch search(about, saving);
    BestChoice best = search.grown({{0}, alone.front()});
    if (const std::optional<BestChoice> pair = search.best_pair();
        pair && pair->chosen != best.chosen) {
        const BestChoice other = search.grown(*pair);
        best = other.saved > best.saved ? other : best;
    }
    return best.chosen.size() > 1 && best.saved > alone.front() ? std::optional(best)
                                                                : std::nullopt;
}

}  // namespace highwater::plan
