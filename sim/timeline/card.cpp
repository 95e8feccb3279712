#include "sim/timeline/card.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/check.hpp"

namespace highwater {
namespace {

constexpr auto kWhole = static_cast<std::uint32_t>(kWholeCard);

}  // namespace

Share share_of(float width) {
    const auto share = static_cast<std::uint32_t>(std::lround(width * static_cast<float>(kWhole)));
    return Share{std::clamp<std::uint32_t>(share, 1, kWhole)};
}

void Card::start(Ticket ticket, Duration duration, Share width, Instant at) {
    check(at >= now_, "kernels begin in the order of time");
    advance(at);
    const auto wide = static_cast<std::uint32_t>(width);
    running_.push_back({ticket, wide, 0, static_cast<std::uint64_t>(duration.count()) * wide});
    share_out();
}

Card::Ticket Card::finish() {
    check(next_finish_.has_value(), "what is done was running");
    advance(*next_finish_);
    const Ticket ticket = running_[first_to_finish_].ticket;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(first_to_finish_));
    share_out();
    return ticket;
}

void Card::advance(Instant to) {
    const Duration passed = to - now_;
    const auto time = static_cast<std::uint64_t>(passed.count());
    for (Running& each : running_) {
        if (each.share == 0) {
            break;
        }
        each.left -= std::min(each.left, time * each.share);
    }
    now_ = to;
}

// Whoever comes after one that got nothing gets nothing either.
void Card::share_out() {
    std::uint32_t free = kWhole;
    next_finish_.reset();
    for (std::size_t i = 0; i < running_.size(); ++i) {
        Running& each = running_[i];
        each.share = std::min(each.width, free);
        if (each.share == 0) {
            break;
        }
        free -= each.share;
        const std::uint64_t takes = (each.left + each.share - 1) / each.share;
        const Instant done = now_ + Duration{static_cast<Duration::rep>(takes)};
        if (!next_finish_ || done < *next_finish_) {
            next_finish_ = done;
            first_to_finish_ = i;
        }
    }
}

}  // namespace highwater
