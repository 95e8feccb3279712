#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// The names of one of a Program's tables, each with its id and the state it has reached.
template <typename Id, typename State>
class NameTable {
  public:
    struct Entry {
        Id id{};
        State state{};
    };

    /// Null if the name has not been met.
    Entry* find(std::string_view name) {
        const auto found = entries_.find(name);
        return found == entries_.end() ? nullptr : &found->second;
    }

    const Entry* find(std::string_view name) const {
        const auto found = entries_.find(name);
        return found == entries_.end() ? nullptr : &found->second;
    }

    /// The name's entry, made if it is new; `names` is the Program's table, and grows with it.
    Entry& get(const std::string& name, std::vector<std::string>& names) {
        const auto [found, is_new] = entries_.try_emplace(name);
        if (is_new) {
            found->second.id = static_cast<Id>(names.size());
            names.push_back(name);
        }
        return found->second;
    }

    /// Makes the name stand for an id that the Program has already.
    Entry& put(const std::string& name, Id id) {
        Entry& entry = entries_[name];
        entry.id = id;
        return entry;
    }

    /// The names whose state fulfils `is_wanted`, in alphabetical order.
    template <typename Predicate>
    std::vector<std::string> names_where(Predicate is_wanted) const {
        std::vector<std::string> names;
        for (const auto& [name, entry] : entries_) {
            if (is_wanted(entry.state)) {
                names.push_back(name);
            }
        }
        return names;
    }

  private:
    std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace highwater
