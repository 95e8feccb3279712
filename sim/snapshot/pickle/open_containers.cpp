#include "sim/snapshot/pickle/open_containers.hpp"

namespace highwater::pickle {

void OpenContainer::add(const Value& item) {
    if (item.kind == Value::Kind::kSkippedEvent) {
        return;
    }
    if (is_run(item.kind) && !items.empty()) {
        Value& last = items.back();
        if (last.kind == item.kind && last.bits + last.count == item.bits) {
            last.count += item.count;
            return;
        }
    }
    items.push_back(item);
}

std::uint32_t OpenContainers::open(bool is_dict) {
    if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(all_.size()));
        all_.emplace_back();
    }
    const std::uint32_t number = unused_.back();
    unused_.pop_back();
    all_[number].is_dict = is_dict;
    return number;
}

void OpenContainers::close(std::uint32_t number) {
    constexpr std::size_t kWorthKeeping = 1U << 10U;
    OpenContainer& closed = all_[number];
    closed.is_settled = false;
    closed.memo_key = OpenContainer::kNoKey;
    closed.items.clear();
    if (closed.items.capacity() > kWorthKeeping) {
        closed.items.shrink_to_fit();
    }
    unused_.push_back(number);
}

}  // namespace highwater::pickle
