#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/hazards/hazard.hpp"

namespace highwater {

/// Keeps hazards, one for each kind and pair of places in the source.
class HazardLog {
  public:
    /// More than anyone reads; a program in which everything races stays quick.
    static constexpr std::size_t kMost = 1000;

    /// `program` outlives it.
    explicit HazardLog(const Program& program) : program_(program) {}

    void add(const Hazard& hazard);

    /// In the order in which they were found.
    const std::vector<Hazard>& hazards() const { return hazards_; }
    /// How many more were found after `kMost`, not counting those between places that are kept.
    std::uint64_t unlisted() const { return unlisted_; }

  private:
    /// A file, a line and a column; an index of an operation where there are no places.
    using Place = std::tuple<std::string, std::size_t, std::size_t>;
    /// Of the operation, and of what it replays.
    using Side = std::pair<Place, std::optional<Place>>;
    using Key = std::tuple<HazardKind, Side, Side>;

    Place place_of(std::size_t op) const;
    Side places_of(const HazardSide& side) const;

    const Program& program_;
    std::vector<Hazard> hazards_;
    std::map<Key, std::size_t> known_;
    /// Of each hazard the operation by which it was last counted: that may touch several ranges.
    std::vector<std::size_t> last_;
    std::uint64_t unlisted_ = 0;
};

}  // namespace highwater
