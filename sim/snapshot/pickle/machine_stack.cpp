#include "sim/snapshot/pickle/machine.hpp"

namespace highwater::pickle {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMostValues = 1U << 24U;
constexpr std::size_t kMostOpen = 1U << 17U;

}  // namespace

void Machine::push(Value value) {
    if (stack_.size() == kMostValues) [[unlikely]] {
        refuse(origin_, "a list with more values that are no events than a snapshot has");
    }
    stack_.push_back(value);
}

std::size_t Machine::above_mark() const {
    return stack_.size() - (marks_.empty() ? 0 : marks_.back());
}

void Machine::need(std::size_t count) const {
    if (above_mark() < count) [[unlikely]] {
        refuse(origin_, "a value is used that is not there");
    }
}

Value Machine::pop() {
    need(1);
    const Value top = stack_.back();
    stack_.pop_back();
    return top;
}

std::size_t Machine::pop_mark() {
    if (marks_.empty()) [[unlikely]] {
        refuse(origin_, "values up to a mark are used, and there is none");
    }
    const std::size_t first = marks_.back();
    marks_.pop_back();
    return first;
}

void Machine::drop(std::size_t new_size) {
    while (stack_.size() > new_size) {
        used(stack_.back());
        stack_.pop_back();
    }
}

// What a value is from now on. Nothing can be added to it any more.
Value Machine::settled(const Value& value) {
    if (value.kind != Kind::kOpen) {
        return value;
    }
    OpenContainer& open = open_[value.number()];
    if (!open.is_settled) {
        open.result = open.is_dict ? dict_value(records_, open.items, origin_)
                                   : list_value(records_, open.items, origin_);
        open.is_settled = true;
        if (open.memo_key != OpenContainer::kNoKey) {
            memo_.put(open.memo_key, open.result, origin_);
        }
    }
    return open.result;
}

// The same for a value that leaves the stack: there is one place on it for each open container.
Value Machine::used(const Value& value) {
    const Value result = settled(value);
    if (value.kind == Kind::kOpen) {
        open_.close(value.number());
    }
    return result;
}

void Machine::push_open(bool is_dict) {
    if (open_.count() == kMostOpen) {
        refuse(origin_, "lists and dicts are nested too deeply");
    }
    if (is_dict) {
        settle_top();
    }
    push({Kind::kOpen, 0, 0, open_.open(is_dict)});
}

// A dict right below another one is complete, as it is no key. PyTorch's own pickler puts a whole
// history on the stack: its events become one value there.
void Machine::settle_top() {
    if (above_mark() == 0 || stack_.back().kind != Kind::kOpen ||
        !open_[stack_.back().number()].is_dict) {
        return;
    }
    stack_.back() = used(stack_.back());
    const Value& top = stack_.back();
    if (above_mark() < 2 || !is_run(top.kind)) {
        return;
    }
    Value& below = stack_[stack_.size() - 2];
    if (below.kind == top.kind && below.bits + below.count == top.bits) {
        below.count += top.count;
        stack_.pop_back();
    }
}

void Machine::get(std::uint64_t key) {
    push(settled(memo_.get(key, origin_)));
}

void Machine::put(std::uint64_t key) {
    need(1);
    const Value& top = stack_.back();
    if (top.kind != Kind::kOpen) {
        memo_.put(key, top, origin_);
        return;
    }
    OpenContainer& open = open_[top.number()];
    if (open.is_settled || open.memo_key != OpenContainer::kNoKey) {
        memo_.put(key, settled(top), origin_);
        return;
    }
    memo_.put(key, top, origin_);
    open.memo_key = key;
}

}  // namespace highwater::pickle
