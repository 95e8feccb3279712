#include "sim/snapshot/pickle/origin.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace highwater::pickle {

void refuse(const Origin& origin, const std::string& problem, const std::string& remedy) {
    throw InputError(
        {std::string(origin.file)}, fmt::format("byte {}: {}", origin.byte, problem), remedy);
}

}  // namespace highwater::pickle
