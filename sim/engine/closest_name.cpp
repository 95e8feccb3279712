#include "sim/engine/closest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

namespace highwater {
namespace {

// Longer names are not typed by hand, and the distance takes time in the product of the lengths.
constexpr std::size_t kLongestName = 64;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Letters put in, left out, changed, or swapped with their neighbour. Case does not count.
class Edits {
  public:
    Edits(std::string_view a, std::string_view b)
        : a_(a), b_(b), width_(b.size() + 1), table_((a.size() + 1) * width_) {}

    std::size_t count() {
        for (std::size_t i = 0; i <= a_.size(); ++i) {
            for (std::size_t j = 0; j <= b_.size(); ++j) {
                at(i, j) = i == 0 || j == 0 ? i + j : fewest(i, j);
            }
        }
        return table_.back();
    }

  private:
    /// Between the first `i` letters of the one and the first `j` of the other.
    std::size_t& at(std::size_t i, std::size_t j) { return table_[i * width_ + j]; }
    bool equal(std::size_t i, std::size_t j) const { return lower(a_[i - 1]) == lower(b_[j - 1]); }

    std::size_t fewest(std::size_t i, std::size_t j) {
        const std::size_t changed = at(i - 1, j - 1) + (equal(i, j) ? 0 : 1);
        const std::size_t edits = std::min({changed, at(i - 1, j) + 1, at(i, j - 1) + 1});
        const bool is_swap = i > 1 && j > 1 && equal(i, j - 1) && equal(i - 1, j);
        return is_swap ? std::min(edits, at(i - 2, j - 2) + 1) : edits;
    }

    std::string_view a_;
    std::string_view b_;
    std::size_t width_;
    std::vector<std::size_t> table_;
};

/// A slip changes a third of a name at most, and one letter of a short one.
std::size_t most_edits(std::string_view name) {
    return std::max<std::size_t>(1, name.size() / 3);
}

}  // namespace

std::optional<std::string_view> closest_name(std::string_view name,
                                             const std::vector<std::string_view>& candidates) {
    std::optional<std::string_view> closest;
    std::size_t fewest = most_edits(name) + 1;
    if (name.size() > kLongestName) {
        return closest;
    }
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > kLongestName) {
            continue;
        }
        const std::size_t edits = Edits(name, candidate).count();
        if (edits < fewest) {
            fewest = edits;
            closest = candidate;
        }
    }
    return closest;
}

std::string did_you_mean(std::string_view name,
                         const std::vector<std::string_view>& candidates,
                         std::string_view otherwise) {
    const auto closest = closest_name(name, candidates);
    return closest ? fmt::format("did you mean `{}`?", *closest) : std::string(otherwise);
}

}  // namespace highwater
