#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater {

/// Takes one more word into a hash.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    constexpr unsigned kHalf = 32;
    hash = (hash ^ word) * kOdd;
    return hash ^ (hash >> kHalf);
}

inline std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) {
        hash = mixed(hash, static_cast<unsigned char>(c));
    }
    return hash;
}

/// Finds things that their owner numbers from 0, by a hash of what they are. Nothing depends on the
/// order of the places, and a copy is as good as the original.
class HashIndex {
  public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    /// The number with this hash for which `is_it` holds, or `kNone`.
    template <typename IsIt>
    std::uint32_t find(std::uint64_t hash, IsIt is_it) const {
        if (places_.empty()) {
            return kNone;
        }
        const std::size_t mask = places_.size() - 1;
        for (std::size_t at = hash & mask; places_[at].number != kNone; at = (at + 1) & mask) {
            if (places_[at].hash == static_cast<std::uint32_t>(hash) && is_it(places_[at].number)) {
                return places_[at].number;
            }
        }
        return kNone;
    }

    /// Of a thing that is not there yet.
    void add(std::uint64_t hash, std::uint32_t number) {
        if (2 * (used_ + 1) > places_.size()) {
            grow();
        }
        place({static_cast<std::uint32_t>(hash), number});
        ++used_;
    }

  private:
    struct Place {
        std::uint32_t hash = 0;
        std::uint32_t number = kNone;
    };

    // The lower half of a hash is enough: there are fewer than 2^32 things.
    void place(const Place& what) {
        const std::size_t mask = places_.size() - 1;
        std::size_t at = what.hash & mask;
        while (places_[at].number != kNone) {
            at = (at + 1) & mask;
        }
        places_[at] = what;
    }

    void grow() {
        constexpr std::size_t kFirst = 64;
        std::vector<Place> old(places_.empty() ? kFirst : 2 * places_.size());
        old.swap(places_);
        for (const Place& each : old) {
            if (each.number != kNone) {
                place(each);
            }
        }
    }

    std::vector<Place> places_;
    std::size_t used_ = 0;
};

}  // namespace highwater
