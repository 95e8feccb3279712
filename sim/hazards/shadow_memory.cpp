#include "sim/hazards/shadow_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater {
namespace {

using Cell = ShadowMemory::Cell;

bool is_unused(const Cell& cell) {
    return cell.writes.empty() && cell.reads.empty() && cell.awaited == nullptr;
}

// Nothing but one write: all that was before is ordered before it.
bool is_settled(const Cell& cell) {
    return cell.writes.size() == 1 && cell.reads.empty();
}

// Tells of those that are not ordered before `access`, and forgets the others.
void check_order(std::vector<Access>& before,
                 const Access& access,
                 const Clock& known,
                 ShadowMemory::Iterator cell,
                 ShadowMemory::Listener& listener) {
    std::erase_if(before, [&](const Access& earlier) {
        const bool is_ordered = known.covers(earlier.stream, earlier.epoch);
        if (!is_ordered) {
            listener.unordered(earlier, access, cell);
        }
        return is_ordered;
    });
}

bool is_overwritten(const Access& content, const Access& reader) {
    return content.instance != reader.instance && content.op > reader.allocated;
}

// `access.unread` is what would be lost: whether that is what is there, and nothing has read it.
std::uint32_t unread_in(const Cell& cell, const Access& access) {
    if (access.unread == Access::kNone || cell.writes.empty() || !cell.reads.empty()) {
        return Access::kNone;
    }
    const Access& last = cell.writes.back();
    const bool is_there = last.op == access.unread && last.node == access.node;
    return is_there ? last.op : Access::kNone;
}

}  // namespace

ShadowMemory::Iterator ShadowMemory::split_at(Address at) {
    const auto after = cells_.upper_bound(at);
    if (after == cells_.begin()) {
        return after;
    }
    const auto found = std::prev(after);
    if (found->first == at || found->second.end <= at) {
        return found->first == at ? found : after;
    }
    const auto rest = cells_.emplace_hint(after, at, found->second);
    found->second.end = at;
    return rest;
}

ShadowMemory::Iterator ShadowMemory::cells(Address begin, Address end) {
    auto next = split_at(begin);
    split_at(end);
    auto first = cells_.end();
    for (Address at = begin; at < end; ++next) {
        if (next == cells_.end() || next->first > at) {
            next = cells_.emplace_hint(next, at, Cell{});
            const auto behind = std::next(next);
            next->second.end = behind == cells_.end() ? end : std::min(end, behind->first);
        }
        first = first == cells_.end() ? next : first;
        at = next->second.end;
    }
    return first;
}

ShadowMemory::Iterator ShadowMemory::hold(Address begin,
                                          Address end,
                                          Instance instance,
                                          Clock& awaited) {
    const auto first = cells(begin, end);
    bool all_unused = true;
    for (auto it = first; it != cells_.end() && it->first < end; ++it) {
        it->second.held = instance;
        if (it->second.awaited != nullptr) {
            awaited.join(*it->second.awaited);
            it->second.awaited.reset();
        }
        all_unused = all_unused && is_unused(it->second);
    }
    if (all_unused) {
        unite(first, end);
    }
    return first;
}

void ShadowMemory::let_go(Iterator first,
                          Address end,
                          const Freed& freed,
                          const std::shared_ptr<const Clock>& awaited) {
    for (auto it = first; it != cells_.end() && it->first < end; ++it) {
        it->second.held = kNoInstance;
        it->second.freed = freed;
        it->second.awaited = awaited;
    }
    unite_unused(first);
}

void ShadowMemory::read(
    Iterator first, Address end, const Access& access, const Clock& known, Listener& listener) {
    for (auto it = first; it != cells_.end() && it->first < end; ++it) {
        Cell& cell = it->second;
        for (const Access& write : cell.writes) {
            if (!known.covers(write.stream, write.epoch)) {
                listener.unordered(write, access, it);
            } else if (&write == &cell.writes.back() && is_overwritten(write, access)) {
                listener.overwritten(write, access, it);
            } else if (&write == &cell.writes.back() && access.copies &&
                       write.unread != Access::kNone) {
                listener.outrun(write, access, it);
            }
        }
        std::erase_if(cell.reads,
                      [&](const Access& read) { return known.covers(read.stream, read.epoch); });
        cell.reads.push_back(access);
    }
}

void ShadowMemory::write(
    Iterator first, Address end, const Access& access, const Clock& known, Listener& listener) {
    bool all_settled = true;
    for (auto it = first; it != cells_.end() && it->first < end; ++it) {
        Cell& cell = it->second;
        Access made = access;
        made.unread = unread_in(cell, access);
        check_order(cell.writes, access, known, it, listener);
        check_order(cell.reads, access, known, it, listener);
        cell.writes.push_back(made);
        all_settled = all_settled && is_settled(cell) && cell.held == first->second.held;
    }
    if (all_settled && first->second.end < end) {
        unite(first, end);
    }
}

void ShadowMemory::drop(Address begin,
                        Address end,
                        const std::function<void(const Access& access, Iterator cell)>& last) {
    split_at(end);
    auto it = split_at(begin);
    while (it != cells_.end() && it->first < end) {
        for (const Access& access : it->second.writes) {
            last(access, it);
        }
        for (const Access& access : it->second.reads) {
            last(access, it);
        }
        it = cells_.erase(it);
    }
}

// The cells have one history.
void ShadowMemory::unite(Iterator first, Address end) {
    auto it = std::next(first);
    while (it != cells_.end() && it->first < end) {
        it = cells_.erase(it);
    }
    first->second.end = end;
}

// Keeps memory bounded where tensors come and go that nothing accesses.
void ShadowMemory::unite_unused(Iterator cell) {
    const auto fits = [](Iterator left, Iterator right) {
        return left->second.end == right->first && left->second.held == kNoInstance &&
               right->second.held == kNoInstance && is_unused(left->second) &&
               is_unused(right->second);
    };
    auto next = std::next(cell);
    while (next != cells_.end() && fits(cell, next)) {
        cell->second.end = next->second.end;
        next = cells_.erase(next);
    }
    if (cell != cells_.begin() && fits(std::prev(cell), cell)) {
        std::prev(cell)->second.end = cell->second.end;
        cells_.erase(cell);
    }
}

}  // namespace highwater
