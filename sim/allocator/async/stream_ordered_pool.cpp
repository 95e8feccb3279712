#include "sim/allocator/async/stream_ordered_pool.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/core/check.hpp"

namespace highwater {

StreamOrderedPool::StreamOrderedPool(const PoolProfile& profile,
                                     DeviceMemory& device,
                                     StreamOrder& order)
    : profile_(profile), device_(device), order_(order), addresses_(profile_, device) {}

std::optional<Address> StreamOrderedPool::malloc(Bytes requested, StreamId stream) {
    const Bytes size = round_up(requested, profile_.alignment);
    std::optional<Address> found = find_ready(size, stream);
    if (!found && policies_.allow_opportunistic) {
        settle();
        found = find_ready(size, stream);
    }
    if (!found) {
        found = grow(size, stream);
    }
    if (!found) {
        found = find_by_waiting(size, stream);
    }
    if (found) {
        take(*found, size, requested);
    }
    return found;
}

bool StreamOrderedPool::is_ready(const Block& block, StreamId stream) const {
    if (block.is_open() || block.freed->stream == stream) {
        return true;
    }
    const EventId event = block.freed->event;
    return (policies_.follow_event_dependencies && order_.is_behind(stream, event)) ||
           (policies_.allow_opportunistic && order_.completed(event));
}

// The smallest free block that serves, the lowest of several.
template <typename Predicate>
std::optional<Address> StreamOrderedPool::best_fit(Bytes size, Predicate is_usable) const {
    for (auto it = free_.lower_bound({size, Address{}}); it != free_.end(); ++it) {
        if (is_usable(blocks_.at(it->second))) {
            return it->second;
        }
    }
    return std::nullopt;
}

std::optional<Address> StreamOrderedPool::find_ready(Bytes size, StreamId stream) const {
    return best_fit(size, [&](const Block& block) { return is_ready(block, stream); });
}

std::optional<Address> StreamOrderedPool::find_by_waiting(Bytes size, StreamId stream) {
    if (!policies_.allow_internal_dependencies) {
        return std::nullopt;
    }
    const auto found = best_fit(size, [](const Block& block) { return !block.is_open(); });
    if (found) {
        order_.wait(stream, blocks_.at(*found).freed->event);
    }
    return found;
}

// What is free at the end serves with the pages that follow on it.
std::optional<Address> StreamOrderedPool::grow(Bytes size, StreamId stream) {
    const auto last = blocks_.empty() ? blocks_.end() : std::prev(blocks_.end());
    const Address end = blocks_.empty() ? Address{} : last->first + last->second.size;
    const auto at = addresses_.follow(end, round_up(size, profile_.page));
    if (!at) {
        return std::nullopt;
    }
    const bool extends = at == end && !last->second.requested && is_ready(last->second, stream);
    const Bytes have = extends ? last->second.size : Bytes{};
    const Bytes more = round_up(size - have, profile_.page);
    const Bytes mapped = map_pages(*at, more);
    reserved_.add(mapped);
    if (mapped < more) {
        keep_pages(*at, mapped);
        return std::nullopt;
    }
    const Address begin = extends ? last->first : *at;
    free_.erase({have, begin});
    add_free(begin, {have + more, std::nullopt, std::nullopt});
    return begin;
}

// As many as the device has.
Bytes StreamOrderedPool::map_pages(Address at, Bytes size) {
    if (device_.map(at, size)) {
        return size;
    }
    Bytes mapped;
    while (device_.map(at + mapped, profile_.page)) {
        mapped += profile_.page;
    }
    return mapped;
}

// Those of a request that failed.
void StreamOrderedPool::keep_pages(Address at, Bytes size) {
    if (size > Bytes{}) {
        add_free(at, {size, std::nullopt, std::nullopt});
    }
}

void StreamOrderedPool::add_free(Address address, const Block& block) {
    blocks_[address] = block;
    free_.emplace(block.size, address);
}

// What is left of the block stays free where and since the whole was.
void StreamOrderedPool::take(Address address, Bytes size, Bytes requested) {
    Block& block = blocks_.at(address);
    free_.erase({block.size, address});
    if (block.size > size) {
        add_free(address + size, {block.size - size, std::nullopt, block.freed});
    }
    block = {size, requested, std::nullopt};
    used_.add(requested);
}

void StreamOrderedPool::free(Address address, StreamId stream) {
    const auto freed = blocks_.find(address);
    check(freed != blocks_.end() && freed->second.requested, "what is freed was handed out");
    used_.subtract(*freed->second.requested);
    const FreePoint point{stream, order_.record(stream), next_point_++};
    add_free(address, {freed->second.size, std::nullopt, point});
    merge_with_next(freed);
    if (freed != blocks_.begin()) {
        merge_with_next(std::prev(freed));
    }
}

// Points in different streams stay apart until they are passed, because a block has one.
bool StreamOrderedPool::can_merge(const Blocks::value_type& left, const Blocks::value_type& right) {
    const Block& a = left.second;
    const Block& b = right.second;
    const bool is_one_stream = a.freed && b.freed && a.freed->stream == b.freed->stream;
    return !a.requested && !b.requested && left.first + a.size == right.first &&
           (is_one_stream || (a.is_open() && b.is_open()));
}

std::optional<StreamOrderedPool::FreePoint> StreamOrderedPool::merged_point(const Block& a,
                                                                            const Block& b) {
    if (!a.freed || !b.freed || a.freed->stream != b.freed->stream) {
        return std::nullopt;
    }
    return a.freed->number < b.freed->number ? b.freed : a.freed;
}

bool StreamOrderedPool::merge_with_next(Blocks::iterator at) {
    const auto next = std::next(at);
    if (next == blocks_.end() || !can_merge(*at, *next)) {
        return false;
    }
    const Block& a = at->second;
    const Block& b = next->second;
    const Block both{a.size + b.size, std::nullopt, merged_point(a, b)};
    free_.erase({a.size, at->first});
    free_.erase({b.size, next->first});
    blocks_.erase(next);
    add_free(at->first, both);
    return true;
}

void StreamOrderedPool::settle() {
    for (auto& [address, block] : blocks_) {
        if (block.freed && !block.freed->is_done) {
            block.freed->is_done = order_.completed(block.freed->event);
        }
    }
    for (auto at = blocks_.begin(); at != blocks_.end();) {
        if (!merge_with_next(at)) {
            ++at;
        }
    }
}

void StreamOrderedPool::synchronized() {
    trim_to(release_threshold_);
}

// The highest pages go first.
void StreamOrderedPool::trim_to(Bytes keep) {
    settle();
    std::vector<Address> free;
    for (const auto& [address, block] : blocks_) {
        if (block.is_open()) {
            free.push_back(address);
        }
    }
    while (!free.empty() && reserved_.current > keep) {
        release_pages(free.back(), round_down(reserved_.current - keep, profile_.page));
        free.pop_back();
    }
}

// Of the whole pages in a free block. What lies before and behind them stays.
void StreamOrderedPool::release_pages(Address address, Bytes at_most) {
    const Bytes size = blocks_.at(address).size;
    const Address first = align_up(address, profile_.page);
    const Address end = align_down(address + size, profile_.page);
    if (first >= end || at_most == Bytes{}) {
        return;
    }
    const Bytes released = std::min(at_most, end - first);
    const Address begin = first + (end - first - released);
    free_.erase({size, address});
    blocks_.erase(address);
    if (begin > address) {
        add_free(address, {begin - address, std::nullopt, std::nullopt});
    }
    if (address + size > end) {
        add_free(end, {address + size - end, std::nullopt, std::nullopt});
    }
    reserved_.subtract(released);
    device_.unmap(begin, released);
}

void StreamOrderedPool::reset_high_water_marks() {
    used_.reset();
    reserved_.reset();
}

}  // namespace highwater
