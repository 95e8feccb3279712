#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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
    StackTable() = default;
    ~StackTable() = default;
    // A copy's places would point into the original.
    StackTable(const StackTable&) = delete;
    StackTable& operator=(const StackTable&) = delete;
    StackTable(StackTable&&) = default;
    StackTable& operator=(StackTable&&) = default;

    FrameId add_frame(StackFrame frame);
    /// Of no frames: `kNoStack`.
    StackId add_stack(std::vector<FrameId> frames);

    const std::vector<FrameId>& frames(StackId stack) const;
    const StackFrame& frame(FrameId id) const;
    std::size_t size() const { return stacks_.size(); }

  private:
    std::vector<const StackFrame*> frames_;
    std::vector<const std::vector<FrameId>*> stacks_;
    std::map<StackFrame, FrameId> frame_ids_;
    std::map<std::vector<FrameId>, StackId> stack_ids_;
};

}  // namespace highwater
