#include "validate/recorded_values.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace highwater {
namespace {

constexpr std::uint64_t kEnd = std::uint64_t{1} << 62U;

std::uint64_t bounded(const nlohmann::json& value, const char* what) {
    const std::uint64_t number = unsigned_of(value);
    if (number >= kEnd) {
        throw std::invalid_argument(fmt::format("{} is no {}", number, what));
    }
    return number;
}

}  // namespace

std::uint64_t unsigned_of(const nlohmann::json& value) {
    if (!value.is_number_unsigned()) {
        throw std::invalid_argument(
            fmt::format("a {} stands where a whole number from 0 up should", value.type_name()));
    }
    return value.get<std::uint64_t>();
}

Bytes bytes_of(const nlohmann::json& value) {
    return {bounded(value, "size in bytes")};
}

Address address_of(const nlohmann::json& value) {
    return {bounded(value, "address")};
}

StreamId stream_of(const Program& program, const nlohmann::json& index) {
    const std::uint64_t i = unsigned_of(index);
    if (i >= program.streams.size()) {
        throw std::invalid_argument(fmt::format("there is no stream {}", i));
    }
    return StreamId{static_cast<std::uint32_t>(i)};
}

const nlohmann::json& list_of(const nlohmann::json& parent, const char* key) {
    const nlohmann::json& list = parent.at(key);
    if (!list.is_array()) {
        throw std::invalid_argument(fmt::format("`{}` is a {}, not a list", key, list.type_name()));
    }
    return list;
}

}  // namespace highwater
