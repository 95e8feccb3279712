#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/bytes.hpp"
#include "sim/scenario/expression/expression_evaluate.hpp"
#include "sim/scenario/expression/expression_tree.hpp"
#include "sim/scenario/text/placed_text.hpp"

namespace highwater {

/// An expression of the file with its place. All that is wrong with it comes as an `InputError` at
/// the very character.
struct Formula {
    PlacedText source;
    Expression tree;
};

/// Larger requests are refused: nothing that is computed from sizes may overflow 64 bits.
inline constexpr Bytes kMaxSize{std::uint64_t{1} << 50};

Formula parse_formula(PlacedText source);

Value evaluate(const Formula& formula, const Scope& scope);

/// `what` is the thing in question, for messages: "the count of streams". Between `least` and
/// `most`.
std::int64_t evaluate_integer(const Formula& formula,
                              const Scope& scope,
                              std::string_view what,
                              std::int64_t least,
                              std::int64_t most);
Bytes evaluate_size(const Formula& formula, const Scope& scope);
bool evaluate_condition(const Formula& formula, const Scope& scope);

/// A reference to a stream, tensor, event, graph, pool or checkpoint: `aux[i]` is "aux[3]".
std::string evaluate_name(const Formula& reference, const Scope& scope);

/// The name before the first index. Throws if the formula is not a reference.
std::string base_name(const Formula& reference);

}  // namespace highwater
