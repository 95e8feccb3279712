#include <fmt/format.h>

#include "sim/snapshot/pickle/machine.hpp"

namespace highwater::pickle {

// What takes the values from place `first`: it is right below them.
OpenContainer& Machine::container_below(std::size_t first, bool is_dict) {
    const std::size_t mark = marks_.empty() ? 0 : marks_.back();
    const char* const kind = is_dict ? "dict" : "list";
    if (first == mark) {
        refuse(origin_, fmt::format("items for a {}, and there is none to take them", kind));
    }
    const Value& value = stack_[first - 1];
    if (value.kind != Value::Kind::kOpen) {
        refuse(origin_, fmt::format("items for a {} that are given to something else", kind));
    }
    OpenContainer& open = open_[value.number()];
    if (open.is_dict != is_dict) {
        refuse(origin_, fmt::format("items for a {} that are given to something else", kind));
    }
    if (open.is_settled) {
        refuse(origin_, "a list or dict contains itself, or changes after it was used");
    }
    return open;
}

void Machine::append_from(std::size_t first) {
    OpenContainer& list = container_below(first, false);
    for (std::size_t i = first; i < stack_.size(); ++i) {
        list.add(used(stack_[i]));
    }
    stack_.resize(first);
}

void Machine::set_items_from(std::size_t first) {
    OpenContainer& dict = container_below(first, true);
    if ((stack_.size() - first) % 2 != 0) {
        refuse(origin_, "keys and values for a dict that are no pairs");
    }
    for (std::size_t i = first; i < stack_.size(); ++i) {
        dict.items.push_back(used(stack_[i]));
    }
    stack_.resize(first);
}

void Machine::push_tuple(std::size_t first) {
    OpenContainer items;
    for (std::size_t i = first; i < stack_.size(); ++i) {
        items.add(used(stack_[i]));
    }
    stack_.resize(first);
    push(list_value(records_, items.items, origin_));
}

// Protocol 0: the items come before the list or dict that is made of them.
void Machine::push_filled(bool is_dict) {
    const std::size_t first = pop_mark();
    const std::vector<Value> items(stack_.begin() + static_cast<std::ptrdiff_t>(first),
                                   stack_.end());
    stack_.resize(first);
    push_open(is_dict);
    const std::size_t place = stack_.size();
    for (const Value& item : items) {
        push(item);
    }
    if (is_dict) {
        set_items_from(place);
    } else {
        append_from(place);
    }
}

}  // namespace highwater::pickle
