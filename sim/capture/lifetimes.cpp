#include "sim/capture/lifetimes.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace highwater {
namespace {

struct Change {
    std::uint64_t step = 0;
    bool begins = false;
    Bytes size;
    // What ends in a step makes room for what begins in it.
    friend auto operator<=>(const Change&, const Change&) = default;
};

}  // namespace

bool overlap(const Lifetime& a, const Lifetime& b) {
    return std::max(a.lower, b.lower) < std::min(a.upper, b.upper);
}

Bytes largest_live(std::span<const Lifetime> lifetimes) {
    std::vector<Change> changes;
    for (const Lifetime& lifetime : lifetimes) {
        if (lifetime.lower < lifetime.upper) {
            changes.push_back({lifetime.lower, true, lifetime.size});
            changes.push_back({lifetime.upper, false, lifetime.size});
        }
    }
    std::ranges::sort(changes);
    Bytes live;
    Bytes most;
    for (const Change& change : changes) {
        live = change.begins ? live + change.size : live - change.size;
        most = std::max(most, live);
    }
    return most;
}

std::string to_minimalloc_csv(std::span<const Lifetime> lifetimes) {
    std::string text = "id,lower,upper,size\n";
    for (const Lifetime& each : lifetimes) {
        fmt::format_to(std::back_inserter(text),
                       "{},{},{},{}\n",
                       each.id,
                       each.lower,
                       each.upper,
                       each.size.count);
    }
    return text;
}

}  // namespace highwater
