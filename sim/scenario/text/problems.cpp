#include "sim/scenario/text/problems.hpp"

#include <fmt/format.h>

namespace highwater {
namespace {

std::string key_of(const SourcePlace& place) {
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

}  // namespace

void Problems::add(const InputError& error) {
    if (!told_.insert(error.what()).second) {
        return;
    }
    all_.push_back(error);
    if (all_.size() >= kMost) {
        throw Enough{};
    }
}

void Problems::add_misspelt(const SourcePlace& map) {
    misspelt_.insert(key_of(map));
}

bool Problems::is_misspelt(const SourcePlace& map) const {
    return misspelt_.contains(key_of(map));
}

}  // namespace highwater
