#include "sim/hazards/hazard_log.hpp"

namespace highwater {

HazardLog::Place HazardLog::place_of(std::size_t op) const {
    if (op >= program_.places.size()) {
        return {"", op, 0};
    }
    const SourcePlace place = program_.places[op];
    return {place.file, place.line, place.column};
}

HazardLog::Side HazardLog::places_of(const HazardSide& side) const {
    return {place_of(side.op),
            side.captured_op ? std::optional(place_of(*side.captured_op)) : std::nullopt};
}

void HazardLog::add(const Hazard& hazard) {
    const Key key{hazard.kind, places_of(hazard.first), places_of(hazard.second)};
    if (const auto found = known_.find(key); found != known_.end()) {
        const bool is_new = last_[found->second] != hazard.second.op;
        hazards_[found->second].count += is_new ? 1 : 0;
        last_[found->second] = hazard.second.op;
        return;
    }
    if (hazards_.size() == kMost) {
        ++unlisted_;
        return;
    }
    known_.emplace(key, hazards_.size());
    hazards_.push_back(hazard);
    last_.push_back(hazard.second.op);
}

}  // namespace highwater
