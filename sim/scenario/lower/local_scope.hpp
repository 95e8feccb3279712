#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/lower/parameters.hpp"

namespace highwater {

/// The names at one place of a program under way: the scenario's parameters; of a pass through the
/// model, `bucket`, `layer` and the model's values; and the indices of loops and what the procedure
/// or template itself defines. A procedure or template does not see its caller's.
class LocalScope : public Scope {
  public:
    using Members = std::function<std::optional<Value>(const std::string&, const std::string&)>;

    /// `members` answers for `object.field`.
    LocalScope(const ParameterValues& parameters, Members members)
        : parameters_(parameters), members_(std::move(members)) {}

    std::optional<Value> find(std::string_view name) const override;
    std::vector<std::string> names() const override;
    std::optional<Value> find_member(const std::string& object,
                                     const std::string& field) const override {
        return members_(object, field);
    }

    /// `name` outlives its use here.
    void push(std::string_view name, Value value) { locals_.emplace_back(name, std::move(value)); }
    void pop() { locals_.pop_back(); }
    void set_last(Value value) { locals_.back().second = std::move(value); }

    /// Hides what is pushed so far; to be given back to `leave`.
    std::size_t enter() { return std::exchange(visible_from_, locals_.size()); }
    void leave(std::size_t callers) {
        locals_.erase(locals_.begin() + static_cast<std::ptrdiff_t>(visible_from_), locals_.end());
        visible_from_ = callers;
    }

    /// A pass begins: what is pushed until `end_header` is seen everywhere in it.
    void begin_pass() {
        pass_from_ = locals_.size();
        visible_from_ = pass_from_;
        pass_to_ = pass_from_;
    }
    void end_header() {
        pass_to_ = locals_.size();
        visible_from_ = pass_to_;
    }
    void end_pass(std::size_t callers) {
        visible_from_ = pass_from_;
        leave(callers);
        pass_from_ = pass_to_ = 0;
    }
    std::size_t visible_from() const { return visible_from_; }
    bool is_in_pass() const { return pass_to_ > pass_from_; }

    /// The index of the layer under way, if any.
    std::optional<std::int64_t> layer() const { return layer_; }
    std::optional<std::int64_t> exchange_layer(std::optional<std::int64_t> layer) {
        return std::exchange(layer_, layer);
    }

  private:
    using Locals = std::vector<std::pair<std::string_view, Value>>;

    std::optional<Value> find_between(std::size_t from,
                                      std::size_t to,
                                      std::string_view name) const;

    const ParameterValues& parameters_;
    Members members_;
    Locals locals_;
    std::size_t visible_from_ = 0;
    std::size_t pass_from_ = 0;
    std::size_t pass_to_ = 0;
    std::optional<std::int64_t> layer_;
};

}  // namespace highwater
