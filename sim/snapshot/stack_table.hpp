#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/snapshot/hash_index.hpp"

namespace highwater {

/// A call stack by its place in the table.
enum class StackId : std::uint32_t {};
inline constexpr StackId kNoStack{UINT32_MAX};

/// A frame by its place in the table.
enum class FrameId : std::uint32_t {};

struct StackFrame {
    std::string function;
    std::string file;
    std::int64_t line = 0;
    friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
};

/// Call stacks, each kept once, innermost frame first: a history of millions of events has a few
/// thousand.
class StackTable {
  public:
    FrameId add_frame(StackFrame frame);
    /// Of no frames: `kNoStack`.
    StackId add_stack(const std::vector<FrameId>& frames);

    /// Of `kNoStack`: none. Valid until the next stack is added.
    std::span<const FrameId> frames(StackId stack) const;
    const StackFrame& frame(FrameId id) const;
    /// How many stacks, and how many different frames, there are.
    std::size_t size() const { return ends_.size(); }
    std::size_t frame_count() const { return frames_.size(); }

  private:
    std::vector<StackFrame> frames_;
    HashIndex frame_index_;
    // The stacks one after the other, and where each ends.
    std::vector<FrameId> stacked_;
    std::vector<std::size_t> ends_;
    HashIndex stack_index_;
};

}  // namespace highwater
