#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/expression/expression_tree.hpp"
#include "sim/scenario/expression/value.hpp"

namespace highwater {

/// What the names in an expression stand for.
class Scope {
  public:
    virtual ~Scope() = default;

    /// A parameter or an index.
    virtual std::optional<Value> find(std::string_view name) const = 0;
    /// Every name, for "did you mean".
    virtual std::vector<std::string> names() const = 0;

    /// `object.field`: a figure of a checkpoint. Scopes that know no figures have none.
    virtual std::optional<Value> find_member(const std::string& /*object*/,
                                             const std::string& /*field*/) const {
        return std::nullopt;
    }
    /// A function of measures, of as many names as it takes: see `MeasureFunction`.
    virtual std::optional<Value> measure(std::string_view /*function*/,
                                         const std::vector<std::string>& /*names*/) const {
        return std::nullopt;
    }

  protected:
    Scope() = default;
    Scope(const Scope&) = default;
    Scope& operator=(const Scope&) = default;
};

/// Throws `ExpressionError`.
Value evaluate(const Expression& expression, const Scope& scope);

/// The name that the root of a reference spells, with its indices evaluated: `aux[i]` is "aux[3]".
/// Throws `ExpressionError` if it is anything else than a name with indices.
std::string evaluate_name(const Expression& expression, const Scope& scope);

}  // namespace highwater
