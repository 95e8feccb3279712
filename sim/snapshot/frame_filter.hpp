#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshot/snapshot.hpp"

namespace highwater {

/// Finds the call stacks that have a text in them: in the function of one of their frames, or in
/// its file:line.
class FrameFilter {
  public:
    /// `snapshot` outlives it. Without a text every stack is found, and what has none.
    FrameFilter(const Snapshot& snapshot, std::optional<std::string_view> text);

    bool finds(StackId stack) const {
        return all_ || (stack != kNoStack && found_[static_cast<std::size_t>(stack)]);
    }

  private:
    bool all_;
    // By stack.
    std::vector<bool> found_;
};

}  // namespace highwater
