#include "sim/scenario/expression/expression_functions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sim/scenario/expression/expression_arithmetic.hpp"
#include "sim/scenario/expression/expression_error.hpp"
#include "sim/scenario/text/suggestion.hpp"

namespace highwater {
namespace {

using Arguments = std::vector<Value>;

void require_numbers(std::string_view name, const Arguments& arguments, std::size_t offset) {
    for (const Value& argument : arguments) {
        if (!is_number(argument)) {
            throw ExpressionError(
                offset,
                fmt::format(
                    "`{}` of {} (`{}`)", name, kind_of(argument), quoted(to_text(argument))),
                "give it numbers");
        }
    }
}

Value as_integer(std::string_view name, double rounded, std::size_t offset) {
    const std::optional<std::int64_t> integer = whole_number(Value{rounded});
    if (!integer) {
        throw ExpressionError(
            offset,
            fmt::format("`{}` of {} is beyond what a real holds exactly", name, rounded),
            "make the number smaller");
    }
    return *integer;
}

Value ceil_of(const Arguments& a, std::size_t offset) {
    const bool exact = std::holds_alternative<std::int64_t>(a[0]);
    return exact ? a[0] : as_integer("ceil", std::ceil(as_real(a[0])), offset);
}

Value floor_of(const Arguments& a, std::size_t offset) {
    const bool exact = std::holds_alternative<std::int64_t>(a[0]);
    return exact ? a[0] : as_integer("floor", std::floor(as_real(a[0])), offset);
}

Value abs_of(const Arguments& a, std::size_t offset) {
    return as_real(a[0]) < 0 ? negated(a[0], offset) : a[0];
}

// Exact for powers of two, so that `log2(64)` can index a list.
Value log2_of(const Arguments& a, std::size_t offset) {
    const double real = as_real(a[0]);
    if (real <= 0) {
        throw ExpressionError(
            offset, fmt::format("`log2` of {}", to_text(a[0])), "give it a positive number");
    }
    const auto* integer = std::get_if<std::int64_t>(&a[0]);
    if (integer != nullptr && std::has_single_bit(static_cast<std::uint64_t>(*integer))) {
        return std::int64_t{std::countr_zero(static_cast<std::uint64_t>(*integer))};
    }
    return std::log2(real);
}

// The smallest multiple of a[1] that is not below a[0].
Value align_of(const Arguments& a, std::size_t offset) {
    const std::optional<std::int64_t> size = whole_number(a[0]);
    const std::optional<std::int64_t> step = whole_number(a[1]);
    if (!size || !step || *step <= 0) {
        throw ExpressionError(offset,
                              fmt::format("`align({}, {})`", to_text(a[0]), to_text(a[1])),
                              "give it two integers, the step above 0");
    }
    const Value sum = binary_operation("+", *size, *step - 1, offset);
    const Value steps = binary_operation("//", sum, *step, offset);
    return binary_operation("*", steps, *step, offset);
}

template <typename Better>
Value best_of(const Arguments& a, Better better) {
    const Value* best = &a[0];
    for (const Value& each : a) {
        if (better(each, *best)) {
            best = &each;
        }
    }
    return *best;
}

bool is_less(const Value& a, const Value& b) {
    return std::get<bool>(binary_operation("<", a, b, 0));
}

Value min_of(const Arguments& a, std::size_t /*offset*/) {
    return best_of(a, is_less);
}

Value max_of(const Arguments& a, std::size_t /*offset*/) {
    return best_of(a, [](const Value& x, const Value& y) { return is_less(y, x); });
}

constexpr std::size_t kAnyNumber = SIZE_MAX;

struct Function {
    std::string_view name;
    std::size_t min_arguments = 1;
    std::size_t max_arguments = 1;
    Value (*call)(const Arguments&, std::size_t) = nullptr;
};

constexpr std::array<Function, 7> kFunctions{{
    {"min", 1, kAnyNumber, min_of},
    {"max", 1, kAnyNumber, max_of},
    {"ceil", 1, 1, ceil_of},
    {"floor", 1, 1, floor_of},
    {"abs", 1, 1, abs_of},
    {"log2", 1, 1, log2_of},
    {"align", 2, 2, align_of},
}};

const std::vector<MeasureFunction>& measure_functions() {
    using Name = MeasureFunction::Name;
    constexpr std::string_view kOfGraph = "a graph that was captured";
    static const std::vector<MeasureFunction> kOfMeasures{
        {"unique_addresses",
         {Name::kTensor, Name::kCheckpoint, Name::kCheckpoint},
         "a tensor between two checkpoints",
         "unique_addresses(tensor, before, after)"},
        {"size_of", {Name::kTensor}, "a tensor that was allocated", "size_of(tensor)"},
        {"busy_ns", {Name::kStream}, "a stream of the run", "busy_ns(stream)"},
        {"nodes", {Name::kGraph}, kOfGraph, "nodes(graph)"},
        {"edges", {Name::kGraph}, kOfGraph, "edges(graph)"},
        {"width_of", {Name::kGraph}, kOfGraph, "width_of(graph)"},
        {"replays", {Name::kGraph}, kOfGraph, "replays(graph)"},
        {"replay_ns", {Name::kGraph}, kOfGraph, "replay_ns(graph)"},
        {"capture_ns", {Name::kGraph}, kOfGraph, "capture_ns(graph)"},
        {"instantiate_ns", {Name::kGraph}, kOfGraph, "instantiate_ns(graph)"},
    };
    return kOfMeasures;
}

}  // namespace

const MeasureFunction* find_measure_function(std::string_view name) {
    const std::vector<MeasureFunction>& all = measure_functions();
    const auto found = std::find_if(
        all.begin(), all.end(), [name](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::optional<Value> call_function(std::string_view name,
                                   const std::vector<Value>& arguments,
                                   std::size_t offset) {
    for (const Function& function : kFunctions) {
        if (function.name != name) {
            continue;
        }
        const std::size_t given = arguments.size();
        if (given < function.min_arguments || given > function.max_arguments) {
            throw ExpressionError(
                offset,
                fmt::format("`{}` takes {}{}, not {}",
                            name,
                            function.min_arguments,
                            function.max_arguments == kAnyNumber ? " or more" : "",
                            given),
                "give it as many");
        }
        require_numbers(name, arguments, offset);
        return function.call(arguments, offset);
    }
    return std::nullopt;
}

const std::vector<std::string>& function_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names{"if"};
        for (const Function& function : kFunctions) {
            names.emplace_back(function.name);
        }
        for (const MeasureFunction& function : measure_functions()) {
            names.emplace_back(function.name);
        }
        return names;
    }();
    return kNames;
}

}  // namespace highwater
