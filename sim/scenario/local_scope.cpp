#include "sim/scenario/local_scope.hpp"

#include <algorithm>

namespace highwater {

std::optional<Value> LocalScope::find(std::string_view name) const {
    const auto found = std::find_if(
        locals_.begin(), locals_.end(), [name](const auto& local) { return local.first == name; });
    return found != locals_.end() ? found->second : parameters_.find(name);
}

std::vector<std::string> LocalScope::names() const {
    std::vector<std::string> all = parameters_.names();
    for (const auto& [name, value] : locals_) {
        all.push_back(name);
    }
    return all;
}

}  // namespace highwater
