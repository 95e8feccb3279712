#include "sim/scenario/lower/local_scope.hpp"

namespace highwater {

std::optional<Value> LocalScope::find_between(std::size_t from,
                                              std::size_t to,
                                              std::string_view name) const {
    for (std::size_t i = from; i < to; ++i) {
        if (locals_[i].first == name) {
            return locals_[i].second;
        }
    }
    return std::nullopt;
}

std::optional<Value> LocalScope::find(std::string_view name) const {
    if (auto local = find_between(visible_from_, locals_.size(), name)) {
        return local;
    }
    if (auto of_pass = find_between(pass_from_, pass_to_, name)) {
        return of_pass;
    }
    if (layer_ && name == "layer") {
        return *layer_;
    }
    return parameters_.find(name);
}

std::vector<std::string> LocalScope::names() const {
    std::vector<std::string> all = parameters_.names();
    for (std::size_t i = visible_from_; i < locals_.size(); ++i) {
        all.emplace_back(locals_[i].first);
    }
    for (std::size_t i = pass_from_; i < pass_to_; ++i) {
        all.emplace_back(locals_[i].first);
    }
    return all;
}

}  // namespace highwater
