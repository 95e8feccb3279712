#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/parameters.hpp"

namespace highwater {

/// The names at one place of a program under way: the scenario's parameters, and the indices of
/// loops and the procedure's own parameters. A procedure does not see its caller's.
class LocalScope : public Scope {
  public:
    using Locals = std::vector<std::pair<std::string, Value>>;

    explicit LocalScope(const ParameterValues& parameters) : parameters_(parameters) {}

    std::optional<Value> find(std::string_view name) const override;
    std::vector<std::string> names() const override;
    std::optional<Value> find_member(const std::string& object,
                                     const std::string& field) const override {
        return parameters_.find_member(object, field);
    }

    void push(std::string name, Value value) {
        locals_.emplace_back(std::move(name), std::move(value));
    }
    void pop() { locals_.pop_back(); }
    void set_last(Value value) { locals_.back().second = std::move(value); }

    /// The caller's names, to be given back when the procedure ends.
    Locals exchange(Locals locals) { return std::exchange(locals_, std::move(locals)); }

  private:
    const ParameterValues& parameters_;
    Locals locals_;
};

}  // namespace highwater
