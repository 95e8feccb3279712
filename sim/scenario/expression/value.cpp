#include "sim/scenario/expression/value.hpp"

#include <array>

#include <fmt/format.h>

#include "sim/core/check.hpp"

namespace highwater {

std::string_view kind_of(const Value& value) {
    constexpr std::array<std::string_view, std::variant_size_v<Value>> kKinds{
        "an integer", "a real", "a boolean", "a text"};
    return kKinds.at(value.index());
}

std::string to_text(const Value& value) {
    return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

bool is_number(const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double as_real(const Value& value) {
    check(is_number(value), "only a number is read as a real");
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*integer);
    }
    return std::get<double>(value);
}

}  // namespace highwater
