#include "sim/allocator/async/stream_ordered_pool.hpp"

#include <iterator>

#include "sim/core/check.hpp"

namespace highwater {

StreamOrderedPool::StreamOrderedPool(const PoolProfile& profile,
                                     DeviceMemory& device,
                                     StreamOrder& order)
    : profile_(profile), device_(device), order_(order) {}

std::optional<Address> StreamOrderedPool::malloc(Bytes requested, StreamId stream) {
    const Bytes size = round_up(requested, profile_.alignment);
    std::optional<Address> found = find_ready(size, stream);
    if (!found) {
        found = find_by_waiting(size, stream);
    }
    if (!found && policies_.allow_opportunistic) {
        settle();
        found = find_ready(size, stream);
    }
    if (!found) {
        found = grow(size);
    }
    if (found) {
        take(*found, size, requested);
    }
    return found;
}

bool StreamOrderedPool::is_ready(const Block& block, StreamId stream) const {
    if (!block.freed || block.freed->stream == stream) {
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
    const auto found = best_fit(size, [](const Block&) { return true; });
    if (found) {
        order_.wait(stream, blocks_.at(*found).freed->event);
    }
    return found;
}

std::optional<Address> StreamOrderedPool::grow(Bytes size) {
    const Bytes segment = round_up(size, profile_.step);
    const std::optional<Address> address = device_.allocate(segment);
    if (address) {
        segments_.emplace(*address, segment);
        blocks_.emplace(*address, Block{segment, *address, std::nullopt, std::nullopt});
        free_.emplace(segment, *address);
        reserved_.add(segment);
    }
    return address;
}

// What is left of the block stays free where and since the whole was.
void StreamOrderedPool::take(Address address, Bytes size, Bytes requested) {
    Block& block = blocks_.at(address);
    free_.erase({block.size, address});
    if (block.size > size) {
        const Address rest = address + size;
        blocks_.emplace(rest, Block{block.size - size, block.segment, std::nullopt, block.freed});
        free_.emplace(block.size - size, rest);
    }
    block.size = size;
    block.requested = requested;
    block.freed.reset();
    used_.add(requested);
}

void StreamOrderedPool::free(Address address, StreamId stream) {
    const auto freed = blocks_.find(address);
    check(freed != blocks_.end() && freed->second.requested, "what is freed was handed out");
    used_.subtract(*freed->second.requested);
    freed->second.requested.reset();
    freed->second.freed = FreePoint{stream, order_.record(stream), next_point_++};
    free_.emplace(freed->second.size, address);
    merge_with_next(freed);
    if (freed != blocks_.begin()) {
        merge_with_next(std::prev(freed));
    }
}

// Points in different streams stay apart, because a block has one.
bool StreamOrderedPool::can_merge(const Block& a, const Block& b) {
    return !a.requested && !b.requested && a.segment == b.segment &&
           a.freed.has_value() == b.freed.has_value() &&
           (!a.freed || a.freed->stream == b.freed->stream);
}

bool StreamOrderedPool::merge_with_next(Blocks::iterator at) {
    const auto next = std::next(at);
    if (next == blocks_.end() || !can_merge(at->second, next->second)) {
        return false;
    }
    free_.erase({at->second.size, at->first});
    free_.erase({next->second.size, next->first});
    at->second.size += next->second.size;
    at->second.freed = later(at->second.freed, next->second.freed);
    free_.emplace(at->second.size, at->first);
    blocks_.erase(next);
    return true;
}

std::optional<StreamOrderedPool::FreePoint> StreamOrderedPool::later(
    const std::optional<FreePoint>& a, const std::optional<FreePoint>& b) {
    return a && b && a->number < b->number ? b : a;
}

void StreamOrderedPool::settle() {
    for (auto& [address, block] : blocks_) {
        if (block.freed && order_.completed(block.freed->event)) {
            block.freed.reset();
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

void StreamOrderedPool::trim_to(Bytes keep) {
    settle();
    for (auto segment = segments_.begin(); segment != segments_.end();) {
        const auto [address, size] = *segment;
        const bool goes = is_unused(address, size) && reserved_.current - size >= keep;
        segment = goes ? segments_.erase(segment) : std::next(segment);
        if (goes) {
            give_back(address, size);
        }
    }
}

// Free as a whole, for every stream.
bool StreamOrderedPool::is_unused(Address segment, Bytes size) const {
    const Block& first = blocks_.at(segment);
    return first.size == size && !first.requested && !first.freed;
}

void StreamOrderedPool::give_back(Address segment, Bytes size) {
    blocks_.erase(segment);
    free_.erase({size, segment});
    reserved_.subtract(size);
    device_.free(segment, size);
}

void StreamOrderedPool::reset_high_water_marks() {
    used_.reset();
    reserved_.reset();
}

}  // namespace highwater
