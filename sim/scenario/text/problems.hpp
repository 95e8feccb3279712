#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace highwater {

/// An error that only follows from one that is told already: gathering leaves it out.
class FollowUpError : public InputError {
  public:
    using InputError::InputError;
};

/// What is wrong with an input: thrown at the first, or gathered so that a person can mend all of
/// it in one go.
class Problems {
  public:
    enum class Mode { kThrowFirst, kGather };

    /// After so many the rest is not looked at: finding what was meant is not cheap.
    static constexpr std::size_t kMost = 1'000;

    explicit Problems(Mode mode) : mode_(mode) {}

    /// Does the work, which may throw `InputError`. Says whether it came to its end.
    template <typename Work>
    bool attempt(Work work) {
        if (mode_ == Mode::kThrowFirst) {
            work();
            return true;
        }
        try {
            work();
            return true;
        } catch (const FollowUpError&) {
            return false;
        } catch (const InputError& error) {
            add(error);
            return false;
        }
    }

    /// `attempt` of everything there is to do: it ends, too, where there are `kMost` problems.
    template <typename Work>
    void attempt_all(Work work) {
        try {
            attempt(work);
        } catch (const Enough&) {
        }
    }

    bool is_gathering() const { return mode_ == Mode::kGather; }
    const std::vector<InputError>& all() const { return all_; }

    /// A name that a refused part may have defined: that it is unknown elsewhere is no news.
    void lose(std::string_view name) { lost_.emplace(name); }
    bool is_lost(std::string_view name) const { return lost_.contains(name); }

    /// A map with a key that nobody knows: that it lacks another one is no news, either.
    void add_misspelt(const SourcePlace& map);
    bool is_misspelt(const SourcePlace& map) const;

  private:
    struct Enough {};

    void add(const InputError& error);

    Mode mode_;
    std::vector<InputError> all_;
    /// An alias brings the same part twice.
    std::set<std::string> told_;
    std::set<std::string, std::less<>> lost_;
    std::set<std::string> misspelt_;
};

}  // namespace highwater
