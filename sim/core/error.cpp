#include "sim/core/error.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/core/printable.hpp"

namespace highwater {

std::string place_text(const SourcePlace& place) {
    if (place.line == 0) {
        return place.file;
    }
    if (place.column == 0) {
        return fmt::format("{}:{}", place.file, place.line);
    }
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

InputError::InputError(SourcePlace place, const std::string& problem, const std::string& remedy)
    : std::runtime_error(
          printable(fmt::format("{}: error: {}; {}", place_text(place), problem, remedy))),
      place_(std::move(place)),
      problem_(problem),
      remedy_(remedy) {}

}  // namespace highwater
